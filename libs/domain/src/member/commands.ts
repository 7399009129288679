/** What a member may do towards another. */
export type MemberCommand =
  | { readonly type: 'Follow' | 'Unfollow' | 'Block' | 'Unblock' }
  | { readonly type: 'Report'; readonly reportId: string };

/** What only ends something: it can always be done. */
export const ENDING_COMMANDS: ReadonlySet<MemberCommand['type']> = new Set(['Unfollow', 'Unblock']);

/** Why a command was refused: a stable code and one sentence for people. */
export interface MemberRejection {
  readonly code: 'ONESELF' | 'BLOCKED_BY_YOU' | 'TOO_MANY';
  readonly message: string;
}
