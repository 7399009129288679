import type { LedgerEvent, Rejection, RejectionCode } from '@app/domain';
import type { CommandOutcome } from '@app/ledger';
import { AppError, keyReused } from './app-error.js';

/** The ledger's refusals as HTTP statuses (rule general-6). */
const STATUS: Record<RejectionCode, number> = {
  INVALID_AMOUNT: 400,
  INVALID_COMMAND: 400,
  INSUFFICIENT_NOVA: 400,
  INSUFFICIENT_TOKENS: 400,
  SELF_PAYMENT: 400,
  SPENDING_FROZEN: 403,
  ACCOUNT_CLOSED: 403,
  RECIPIENT_CLOSED: 404,
  TOO_MANY_POOLS: 409,
  NOTHING_TO_COLLECT: 409,
  CHAT_ALREADY_PAID: 409,
  CHAT_NOT_HELD: 409,
  REWARD_NOT_PENDING: 409,
  OWN_APPLICATION: 403,
  NOT_APP_OWNER: 403,
  DAILY_LIMIT: 403,
  ADMIN_DAILY_CAP: 403,
  APP_INSUFFICIENT_NOVA: 400,
  ACCOUNT_NOT_CLOSING: 409,
  ACCOUNT_STILL_BUSY: 409,
  NOT_FROZEN: 409,
  NOT_REVERSIBLE: 409,
  NOTHING_TO_RETURN: 409,
  NOT_IN_FULL: 409,
  NO_SHORTFALL: 409,
  PERIOD_NOT_OVER: 409,
  ALREADY_SIGNED: 409,
  NOT_SIGNED: 409,
  COMMAND_TOO_LARGE: 400,
  TEST_EVENTS_LIMIT: 409,
  IDEMPOTENCY_KEY_AHEAD: 400,
};

const MINOR_UNITS_PER_NOVA = 100;

/** The refusal as an answer. `available` is given in the API's unit, Nova. */
export function rejectionError({ code, message, available }: Rejection): AppError {
  const extra = available === undefined ? {} : { available: Number(available) / MINOR_UNITS_PER_NOVA };
  return new AppError(STATUS[code], code, message, { extra });
}

export type Accepted = Extract<CommandOutcome, { status: 'accepted' }>;

/**
 * The accepted result of `Ledger.execute`.
 * @throws AppError the ledger refused, or the idempotency key was used for another command (422)
 */
export function expectAccepted(outcome: CommandOutcome): Accepted {
  if (outcome.status === 'accepted') return outcome;
  if (outcome.status === 'refused') throw rejectionError(outcome.rejection);
  throw keyReused();
}

/** The event of this type among a command's, with its id. */
export function eventOf<T extends LedgerEvent['type']>(
  { events }: Pick<Accepted, 'events'>,
  type: T,
): { readonly id: string; readonly event: Extract<LedgerEvent, { type: T }> } {
  for (const { id, event } of events) {
    if (event.type === type) return { id, event: event as Extract<LedgerEvent, { type: T }> };
  }
  throw new Error(`the ledger took a command without ${type}`);
}
