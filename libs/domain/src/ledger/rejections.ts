/** Why `decide` refused: a stable code, and the figures that a sentence for people needs. A refusal changes nothing. */
export type RejectionCode =
  | 'INVALID_AMOUNT'
  | 'INVALID_COMMAND'
  | 'INSUFFICIENT_NOVA'
  | 'INSUFFICIENT_TOKENS'
  | 'SELF_PAYMENT'
  | 'SPENDING_FROZEN'
  | 'ACCOUNT_CLOSED'
  | 'RECIPIENT_CLOSED'
  | 'TOO_MANY_POOLS'
  | 'NOTHING_TO_COLLECT'
  | 'CHAT_ALREADY_PAID'
  | 'CHAT_NOT_HELD'
  | 'REWARD_NOT_PENDING'
  | 'OWN_APPLICATION'
  | 'NOT_APP_OWNER'
  | 'DAILY_LIMIT'
  | 'ADMIN_DAILY_CAP'
  | 'APP_INSUFFICIENT_NOVA'
  | 'ACCOUNT_NOT_CLOSING'
  | 'ACCOUNT_STILL_BUSY'
  | 'NOT_FROZEN'
  | 'NOT_REVERSIBLE'
  | 'NOTHING_TO_RETURN'
  | 'NOT_IN_FULL'
  | 'NO_SHORTFALL'
  | 'PERIOD_NOT_OVER'
  | 'ALREADY_SIGNED'
  | 'NOT_SIGNED'
  | 'COMMAND_TOO_LARGE'
  | 'TEST_EVENTS_LIMIT'
  | 'IDEMPOTENCY_KEY_AHEAD';

export interface Rejection {
  readonly code: RejectionCode;
  /** One sentence for people. */
  readonly message: string;
  /** The largest accepted amount, in minor units, if the amount is the reason. */
  readonly available?: bigint;
  /** For `TOO_MANY_POOLS`: the member whose rewards must be collected first. */
  readonly holderId?: string;
}
