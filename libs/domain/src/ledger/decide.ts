import { isAccountId } from './accounts.js';
import type { AppSpendingContext, LedgerCommand } from './commands.js';
import { decideAccount } from './decide-account.js';
import { decideApp } from './decide-app.js';
import { decideChat } from './decide-chat.js';
import { decidePayment } from './decide-payment.js';
import { decidePeriod } from './decide-period.js';
import { decideSigning } from './decide-signing.js';
import { decideTokens } from './decide-tokens.js';
import type { LedgerFact } from './events.js';
import type { Rejection } from './rejections.js';
import type { LedgerState } from './state.js';

/** What the rules answer: events in order, at least one, or a refusal that changes nothing. */
export type Decision =
  | { readonly accepted: true; readonly events: readonly LedgerFact[] }
  | { readonly accepted: false; readonly rejection: Rejection };

/** What a rule answers: the events, or why not. */
export type Ruling = readonly LedgerFact[] | { readonly rejection: Rejection };

/**
 * Decides one command on a state, changing nothing: a dry run is this call and no append (`ledger.md`).
 * @param at journal time in milliseconds since 1970; only daily limits and the end of a period look at it
 */
export function decide(state: LedgerState, command: LedgerCommand, at: number): Decision {
  const ruling = idRejection(command) ?? rule(state, command, at);
  if ('rejection' in ruling) return { accepted: false, rejection: ruling.rejection };
  return { accepted: true, events: ruling };
}

function rule(state: LedgerState, command: LedgerCommand, at: number): Ruling {
  switch (command.type) {
    case 'RecordPurchase':
    case 'ReversePurchase':
    case 'SendGift':
    case 'PayForCard':
    case 'GrantNova':
    case 'GrantNovaInBulk':
    case 'DeductNova':
    case 'ClaimQuestReward':
      return decidePayment(state, command, at);
    case 'HoldChatPayment':
    case 'RefundChatPayment':
    case 'SettleChatPayment':
    case 'ReleaseChatReward':
      return decideChat(state, command);
    case 'MintKarma':
    case 'GrantThreadShare':
    case 'CollectRewards':
    case 'BurnTokens':
      return decideTokens(state, command);
    case 'FundAppWallet':
    case 'WithdrawAppWallet':
    case 'SpendAppTokens':
    case 'EarnAppTokens':
      return decideApp(state, command, at);
    case 'ClosePeriod':
      return decidePeriod(command, at);
    case 'BeginSigning':
    case 'ChangeSigningKey':
      return decideSigning(state, command);
    case 'FreezeSpending':
    case 'UnfreezeSpending':
    case 'CloseAccount':
    case 'FinishClosingAccount':
      return decideAccount(state, command);
  }
}

/** Ids become parts of account names: one that could break a name never gets further than this. */
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
