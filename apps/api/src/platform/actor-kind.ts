export const ACTOR_KINDS = ['admin', 'process', 'terminal'] as const;

/** Who did what admins, the daily jobs and the command line do. */
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** @param actor as events have it: `admin:{id}`, `terminal` or `process` */
export function actorKind(actor: string): ActorKind {
  if (actor.startsWith('admin:')) return 'admin';
  return actor === 'terminal' ? 'terminal' : 'process';
}
