import { smallerPicture } from '@app/domain';
import { ImageOff, VideoOff } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useNearScreen } from '@/shared/hooks/use-near-screen';

export interface PostMediaFrameProps {
  thumbnailUrl: string | null;
  /** In sight when the page opens. What is not is fetched once it comes near the screen. */
  isFirst: boolean;
  children: (isNear: boolean) => ReactNode;
}

/** The same size for every post, so that nothing shifts; the media's own blurred picture fills the rest. */
export function PostMediaFrame({ thumbnailUrl, isFirst, children }: PostMediaFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const isNear = useNearScreen(frame, isFirst);
  return (
    <div
      ref={frame}
      className="relative isolate grid aspect-square max-h-[68dvh] w-full place-items-center overflow-hidden bg-sky-950"
    >
      {thumbnailUrl !== null && isNear && (
        <img
          src={smallerPicture(thumbnailUrl, 'small')}
          alt=""
          className="absolute inset-0 -z-10 size-full scale-110 object-cover opacity-40 blur-2xl"
          onError={(event) => {
            event.currentTarget.hidden = true;
          }}
        />
      )}
      {children(isNear)}
    </div>
  );
}

/** Shown in place of media that cannot be loaded (rule feed-3). */
export function MediaUnavailable({ kind }: { kind: 'image' | 'video' }) {
  const Icon = kind === 'video' ? VideoOff : ImageOff;
  return (
    <p className="grid justify-items-center gap-2 text-sm text-ink-muted">
      <Icon aria-hidden="true" className="size-8" />
      {kind === 'video' ? 'Video unavailable' : 'Image unavailable'}
    </p>
  );
}
