/** What a member may do towards another. */
export type MemberCommand =
  | { readonly type: 'Follow' | 'Unfollow' | 'Block' | 'Unblock'; readonly otherId: string }
  | { readonly type: 'Report'; readonly otherId: string; readonly reportId: string };

/** Why a command was refused: a stable code and one sentence for people. */
export interface MemberRejection {
  readonly code: 'ONESELF' | 'BLOCKED_BY_YOU' | 'TOO_MANY';
  readonly message: string;
}
