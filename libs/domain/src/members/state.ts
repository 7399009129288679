/** A member's relation to one other, from the events of `user-{memberId}`, and the counts of that stream. */
export interface Relationship {
  readonly memberId: string;
  readonly otherId: string;
  readonly follows: boolean;
  readonly blocks: boolean;
  /** When the member last followed, unfollowed, blocked or unblocked the other, milliseconds since 1970; 0: never. */
  readonly changedAt: number;
  /** How many members are followed, and how many blocked: see `RELATIONS_MAX`. */
  readonly following: number;
  readonly blocking: number;
  /** The number of events (limit: `MEMBER_EVENTS_MAX`). */
  readonly events: number;
  /** Time of the last event, milliseconds since 1970. */
  readonly at: number;
}

export const newRelationship = ({ memberId, otherId }: Pick<Relationship, 'memberId' | 'otherId'>): Relationship => ({
  memberId,
  otherId,
  follows: false,
  blocks: false,
  changedAt: 0,
  following: 0,
  blocking: 0,
  events: 0,
  at: 0,
});
