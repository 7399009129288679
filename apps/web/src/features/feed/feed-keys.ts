/** Queries of the feed. A new or deleted post of one's own invalidates `feed`. */
export const feedKeys = {
  feed: ['/api/content/feed'],
  post: (postId: string) => ['/api/content/posts', postId],
  statusBar: ['/api/status-bar'],
} as const;
