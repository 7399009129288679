import { smallerPicture } from '@app/domain';
import { clsx } from 'clsx';
import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { madeOnce } from '../made-once';

const sizes = {
  sm: 'size-8 text-xs',
  md: 'size-10 text-sm',
  lg: 'size-14 text-lg',
  xl: 'size-20 text-xl',
};

export interface AvatarProps {
  name: string | null | undefined;
  src?: string | null | undefined;
  size?: keyof typeof sizes;
  className?: string;
}

const characters = madeOnce(() => new Intl.Segmenter());

/**
 * The first letter of the name in upper case, or U (rule screens-12). It takes whole graphemes, so that flags and
 * families are not split.
 */
export function initialOf(name: string | null | undefined): string {
  const [first] = characters().segment((name ?? '').trim());
  return first === undefined ? 'U' : first.segment.toUpperCase();
}

/**
 * A picture, its owner's initial until it has loaded and where it does not, and a silhouette where there is no picture
 * (rule screens-12). The name always stands beside it as text.
 */
export function Avatar({ name, src, size = 'md', className }: AvatarProps) {
  const picture = typeof src === 'string' ? smallerPicture(src, 'small') : undefined;
  const [loaded, setLoaded] = useState<string>();
  const isLoaded = picture !== undefined && loaded === picture;
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'relative inline-grid shrink-0 place-items-center overflow-hidden rounded-full border border-line bg-sky-700 font-display font-semibold text-ink-muted',
        sizes[size],
        className,
      )}
    >
      {picture === undefined && <UserRound className="size-3/5 fill-current text-ink-faint" />}
      {picture !== undefined && !isLoaded && <span>{initialOf(name)}</span>}
      {picture !== undefined && (
        <img
          key={picture}
          src={picture}
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover"
          onLoad={() => setLoaded(picture)}
        />
      )}
    </span>
  );
}
