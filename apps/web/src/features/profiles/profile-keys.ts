/** Query keys of the member's own profile. */
export const profileKeys = {
  profile: ['/api/profile'],
  scrollFeed: ['/api/content/my-scroll-feed'],
  discovery: ['/api/content/my-discovery'],
} as const;
