import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';

export interface StreamViewProps {
  stream: MediaStream;
  label: string;
  /** My own picture: mirrored, and without sound. */
  isOwn?: boolean;
  className?: string;
}

/** A live picture. */
export function StreamView({ stream, label, isOwn = false, className }: StreamViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  return (
    // A call between two people has no captions to offer.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={video}
      aria-label={label}
      autoPlay
      playsInline
      muted={isOwn}
      className={clsx('object-cover', isOwn && '-scale-x-100', className)}
    />
  );
}
