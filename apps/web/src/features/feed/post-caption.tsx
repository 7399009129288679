import { clsx } from 'clsx';
import { useState } from 'react';
import type { Post } from './feed-types';

/** Longer captions are folded: a post stays smaller than the screen. */
const FOLDED_FROM_CHARACTERS = 180;
const FOLDED_FROM_LINES = 4;

const isLong = (caption: string): boolean =>
  caption.length > FOLDED_FROM_CHARACTERS || caption.split('\n').length > FOLDED_FROM_LINES;

/** What the author says of it, and its tags. */
export function PostCaption({ post: { caption, hashtags } }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  if (caption === null && hashtags.length === 0) return null;
  const isFolded = caption !== null && isLong(caption) && !isOpen;
  return (
    <div className="grid gap-1.5 text-sm">
      {caption !== null && (
        <p dir="auto" className={clsx('whitespace-pre-line text-ink', isFolded && 'line-clamp-3')}>
          {caption}
        </p>
      )}
      {isFolded && (
        <button
          type="button"
          className="min-h-11 justify-self-start font-medium text-ink-muted hover:text-ink sm:min-h-6"
          onClick={() => setOpen(true)}
        >
          Show more
        </button>
      )}
      {hashtags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-x-2 gap-y-0.5 text-ink-muted">
          {hashtags.map((tag) => (
            <li key={tag} dir="auto">
              #{tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
