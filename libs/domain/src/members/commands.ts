/** Commands of one member about another. */
export type MemberCommand =
  | { readonly type: 'Follow' | 'Unfollow' | 'Block' | 'Unblock' }
  | { readonly type: 'Report'; readonly reportId: string };

/** Commands that only end something are always allowed. */
export const ENDING_COMMANDS: ReadonlySet<MemberCommand['type']> = new Set(['Unfollow', 'Unblock']);

/** Why a command was refused: a stable code and one sentence for people. */
export interface MemberRejection {
  readonly code: 'ONESELF' | 'BLOCKED_BY_YOU' | 'TOO_MANY';
  readonly message: string;
}
