/** Events of one member about another, in the stream `user-{memberId}` of the one who acted. */
interface Fact<T extends string> {
  readonly type: T;
  readonly memberId: string;
  readonly otherId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type MemberFollowed = Fact<'MemberFollowed'>;
export type MemberUnfollowed = Fact<'MemberUnfollowed'>;
/** Ends requests between the two. */
export type MemberBlocked = Fact<'MemberBlocked'>;
export type MemberUnblocked = Fact<'MemberUnblocked'>;
/** The words of the report are in a row of this id. */
export interface MemberReported extends Fact<'MemberReported'> {
  readonly reportId: string;
}

export type MemberEvent = MemberFollowed | MemberUnfollowed | MemberBlocked | MemberUnblocked | MemberReported;

export const MEMBER_STREAM_PREFIX = 'user-';
export const memberStream = (memberId: string): string => `${MEMBER_STREAM_PREFIX}${memberId}`;
