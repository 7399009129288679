import { useState, type SyntheticEvent } from 'react';
import { isOutcomeUnknown } from '@/shared/api';
import { Button, cappedAt, NovaMark, Textarea } from '@/shared/ui';
import { WALL_CHARACTERS_MAX, wallCommentNova } from './card-prices';
import type { ProfileCard } from './card-types';
import { useWriteOnWall } from './use-wall';

/** Writes on a wall; the button says what the words cost as they are typed (rule discovery-14). */
export function WallCommentForm({ profile }: { profile: ProfileCard }) {
  const [text, setText] = useState('');
  const write = useWriteOnWall(profile.id, () => setText(''));
  const price = wallCommentNova(text);
  const length = Array.from(text).length;
  // Other words would be another comment, beside one that may be there and paid.
  const isUnknown = isOutcomeUnknown(write.error);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (price > 0 && !write.isPending) write.mutate(text.trim());
  };
  return (
    <form className="flex min-w-0 flex-1 flex-wrap items-end gap-2" onSubmit={submit}>
      {isUnknown && (
        <p className="basis-full text-xs text-hold">
          Your comment may have been posted. Posting it again never charges twice.
        </p>
      )}
      <Textarea
        aria-label={`Comment for ${profile.displayName}`}
        placeholder="Write a comment"
        rows={1}
        autoComplete="off"
        readOnly={write.isPending || isUnknown}
        className="field-sizing-content max-h-24 min-h-11 min-w-0 flex-1 resize-none sm:min-h-10"
        value={text}
        onChange={(event) => setText(cappedAt(event.target.value, WALL_CHARACTERS_MAX))}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <div className="grid justify-items-center gap-1">
        {length > 0 && (
          <span className="text-xs text-ink-faint tabular-nums">
            {length}/{WALL_CHARACTERS_MAX}
          </span>
        )}
        <Button type="submit" variant="primary" className="px-3!" disabled={price === 0} pending={write.isPending}>
          Post
          <span className="sr-only"> comment{price > 0 && ' for '}</span>
          {price > 0 && (
            <>
              <span className="flex items-center gap-0.5 tabular-nums">
                <NovaMark className="size-2.5 text-on-nova!" />
                {price}
              </span>
              <span className="sr-only"> Nova</span>
            </>
          )}
        </Button>
      </div>
    </form>
  );
}
