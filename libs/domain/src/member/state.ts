/** What a member has to do with others, as the events of `user-{id}` tell it. */
export interface MemberState {
  readonly memberId: string;
  readonly follows: ReadonlySet<string>;
  readonly blocks: ReadonlySet<string>;
  /** Time of the last event, milliseconds since 1970. */
  readonly at: number;
}

export const newMember = (memberId: string): MemberState => ({
  memberId,
  follows: new Set(),
  blocks: new Set(),
  at: 0,
});
