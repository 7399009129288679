import { useState } from 'react';
import type { Post } from './feed-types';
import { MediaUnavailable, PostMediaFrame } from './post-media-frame';

/** A post's picture, whole. */
export function PostImage({ post: { mediaUrl, thumbnailUrl, author } }: { post: Post }) {
  const [hasFailed, setFailed] = useState(false);
  return (
    <PostMediaFrame thumbnailUrl={thumbnailUrl}>
      {hasFailed ? (
        <MediaUnavailable kind="image" />
      ) : (
        <img
          src={mediaUrl}
          alt={`Posted by ${author.displayName}`}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-contain"
          onError={() => setFailed(true)}
        />
      )}
    </PostMediaFrame>
  );
}
