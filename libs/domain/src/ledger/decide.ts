import { isAccountId } from './accounts.js';
import type { AppSpendingContext, LedgerCommand } from './commands.js';
import type { LedgerFact } from './events.js';
import type { Ruling } from './movements/movement.js';
import { ruleOf } from './movements/registry.js';
import type { Rejection } from './rejections.js';
import type { LedgerState } from './state.js';

/** A decision: events in order, at least one, or a refusal that changes nothing. */
export type Decision =
  | { readonly accepted: true; readonly events: readonly LedgerFact[] }
  | { readonly accepted: false; readonly rejection: Rejection };

/**
 * Decides one command on a state, changing nothing: a dry run is this call and no append (rule ledger-13).
 * @param at journal time in milliseconds since 1970; only daily limits and the end of a period look at it
 */
export function decide(state: LedgerState, command: LedgerCommand, at: number): Decision {
  const ruling: Ruling = idRejection(command) ?? ruleOf(command)(state, command, at);
  if ('rejection' in ruling) return { accepted: false, rejection: ruling.rejection };
  return { accepted: true, events: ruling };
}

/** Ids become parts of account names: an id that could break a name stops here. */
function idRejection(command: LedgerCommand | AppSpendingContext): { rejection: Rejection } | undefined {
  const fields = command as unknown as Readonly<Record<string, unknown>>;
  for (const field in fields) {
    const value = fields[field];
    if (typeof value === 'string' && field.endsWith('Id') && !isAccountId(value)) {
      return { rejection: { code: 'INVALID_COMMAND', message: `The field ${field} is not an id.` } };
    }
  }
  return 'via' in command && command.via ? idRejection(command.via) : undefined;
}
