/** What a member has to do with one other, as the events of `user-{memberId}` tell it, and how much there is in that stream. */
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
  /** How many events there are: see `MEMBER_EVENTS_MAX`. */
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
