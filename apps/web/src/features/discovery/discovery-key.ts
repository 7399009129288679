/** Prefix of every query of cards. */
export const discoveryKey = ['/api/discovery/feed'] as const;
