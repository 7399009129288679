import type { LedgerCommand } from '../ledger/commands.js';
import type { RefundReason } from '../ledger/events.js';
import type { ChatSide } from './events.js';
import type { ChatState } from './state.js';

/** A command that the ledger must execute for a chat, with the fact that is its idempotency key. */
export interface ChatDuty {
  readonly key: string;
  readonly command: LedgerCommand;
}

/**
 * All ledger commands that a chat in this state requires, in order (rule ledger-33: the chat ends first, then the money
 * follows). Repeating a duty changes nothing: its key takes effect once.
 */
export function chatDuties(state: ChatState): readonly ChatDuty[] {
  const end = endOf(state);
  if (!end) return [];
  const { chatId, hostId, initiatorId } = state;
  const duties: ChatDuty[] = [{ key: `chat:${chatId}:end`, command: end }];
  if (state.status !== 'successful' && state.status !== 'completed') return duties;
  for (const side of ['host', 'initiator'] as const) {
    if (isReleased(state, side)) {
      duties.push({ key: `chat:${chatId}:release:${side}`, command: { type: 'ReleaseChatReward', chatId, side } });
    }
  }
  if (state.thread) {
    const command: LedgerCommand = { type: 'GrantThreadShare', hostId, userId: initiatorId, chatId };
    duties.push({ key: `chat:${chatId}:thread`, command });
  }
  return duties;
}

/** A side's reward is pending until that side has rated, or rating has closed. */
const isReleased = (state: ChatState, side: ChatSide): boolean =>
  state.status === 'completed' || state.ratings[side] !== undefined;

function endOf(state: ChatState): LedgerCommand | undefined {
  const { chatId } = state;
  switch (state.status) {
    case 'requested':
    case 'active':
      return undefined;
    case 'declined':
      return refund(chatId, 'declined');
    case 'expired':
      return refund(chatId, state.abandoned ? 'abandoned' : 'expired');
    case 'terminated': {
      const { due = 0n, cause } = state.terminated ?? {};
      if (due > 0n) return { type: 'SettleChatPayment', chatId, outcome: 'broken-off', due };
      return refund(chatId, cause === 'idle' ? 'idle' : 'terminated');
    }
    case 'successful':
    case 'completed':
      return { type: 'SettleChatPayment', chatId, outcome: 'success' };
  }
}

const refund = (chatId: string, reason: RefundReason): LedgerCommand => ({ type: 'RefundChatPayment', chatId, reason });
