/** Why a chat refused a command: a stable code and one sentence for people. A refusal changes nothing. */
export type ChatRejectionCode =
  | 'CHAT_NOT_FOUND'
  | 'CHAT_EXISTS'
  | 'SELF_CHAT'
  | 'NOT_HOST'
  | 'CHAT_NOT_REQUESTED'
  | 'CHAT_REQUEST_EXPIRED'
  | 'CHAT_NOT_ACTIVE'
  | 'CHAT_ENDED'
  | 'CHAT_NOT_SUCCESSFUL'
  | 'VERIFICATION_CONTRADICTED'
  | 'NUDGED_ALREADY'
  | 'INVALID_MESSAGE'
  | 'CHAT_FULL'
  | 'INVALID_RATING'
  | 'ALREADY_RATED'
  | 'RATING_CLOSED';

export interface ChatRejection {
  readonly code: ChatRejectionCode;
  readonly message: string;
  /** When the command would be accepted, in milliseconds since 1970, if time is the reason. */
  readonly notBefore?: number;
}
