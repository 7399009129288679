/**
 * The pages of a feed as one list. Members move while the viewer scrolls; a member who appears again on a later page is
 * shown once, where they appeared first.
 */
export function distinctProfiles<P extends { id: string }>(pages: readonly { profiles: readonly P[] }[]): P[] {
  const byId = new Map<string, P>();
  for (const profile of pages.flatMap(({ profiles }) => profiles)) {
    if (!byId.has(profile.id)) byId.set(profile.id, profile);
  }
  return [...byId.values()];
}
