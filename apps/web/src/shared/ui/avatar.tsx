import { smallerPicture } from '@app/domain';
import { clsx } from 'clsx';
import { UserRound } from 'lucide-react';
import { Avatar as RadixAvatar } from 'radix-ui';

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

const characters = new Intl.Segmenter();

/**
 * The first letter of the name in upper case, or U (rule screens-12). It takes whole graphemes, so that flags and
 * families are not split.
 */
export function initialOf(name: string | null | undefined): string {
  const [first] = characters.segment((name ?? '').trim());
  return first === undefined ? 'U' : first.segment.toUpperCase();
}

/**
 * A picture, its owner's initial until it has loaded and where it does not, and a silhouette where there is no picture
 * (rule screens-12). The name always stands beside it as text.
 */
export function Avatar({ name, src, size = 'md', className }: AvatarProps) {
  return (
    <RadixAvatar.Root
      aria-hidden="true"
      className={clsx(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-full border border-line bg-sky-700 font-display font-semibold text-ink-muted',
        sizes[size],
        className,
      )}
    >
      <RadixAvatar.Image
        src={typeof src === 'string' ? smallerPicture(src, 'small') : undefined}
        alt=""
        className="size-full object-cover"
      />
      <RadixAvatar.Fallback className="grid size-full place-items-center">
        {typeof src === 'string' ? initialOf(name) : <UserRound className="size-3/5 fill-current text-ink-faint" />}
      </RadixAvatar.Fallback>
    </RadixAvatar.Root>
  );
}
