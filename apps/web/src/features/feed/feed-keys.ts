/** Query keys of the feed. A member's new or deleted post invalidates `feed`. */
export const feedKeys = {
  feed: ['/api/content/feed'],
  post: (postId: string) => ['/api/content/posts', postId],
  statusBar: ['/api/status-bar'],
} as const;
