import { IDLE_CHAT_MS, type ChatCounts, type ChatEvent, type LedgerEvent, type RefundReason } from '@app/domain';
import type { ChatRow, ChatRowStatus } from './chat-row.js';

type Changes = Partial<ChatRow> & { readonly status?: ChatRowStatus };

const timeText = (atMs: number): string => new Date(atMs).toISOString();

/** What an event of its own stream changes in a chat's row. @param time of the event, as text */
export function chatChanges(row: ChatRow, event: ChatEvent, time: string): Changes {
  switch (event.type) {
    case 'ChatRequested': {
      const acceptBy = timeText(event.acceptBy);
      return { status: 'requested', price: event.price, requested_at: time, accept_by: acceptBy, deadline: acceptBy };
    }
    case 'ChatRequestAbandoned':
      return { status: 'abandoned', ended_at: time, deadline: null };
    case 'ChatAccepted': {
      const verifyBy = timeText(event.verifyBy);
      return { status: 'active', accepted_at: time, verify_by: verifyBy, deadline: verifyBy };
    }
    case 'ChatDeclined':
      return { status: 'declined', ended_at: time, deadline: null };
    case 'ChatRequestExpired':
      return { status: 'expired', ended_at: time, deadline: null };
    case 'ChatMessageSent': {
      const firstHost = row.first_host_message_at ?? (event.side === 'host' ? time : null);
      return {
        ...counts(event),
        first_host_message_at: firstHost,
        last_message_at: time,
        last_side: event.side,
        deadline: firstHost === null ? row.verify_by : timeText(event.at + IDLE_CHAT_MS),
      };
    }
    case 'ChatSucceeded': {
      const rateBy = timeText(event.rateBy);
      return {
        ...counts(event),
        status: 'successful',
        succeeded_at: time,
        ended_at: time,
        rate_by: rateBy,
        deadline: rateBy,
      };
    }
    case 'ChatTerminated':
      return {
        ...counts(event),
        status: 'terminated',
        ended_at: time,
        terminated_by: event.by,
        termination_cause: event.cause,
        deadline: null,
      };
    case 'ChatRated':
      return event.side === 'host'
        ? { host_rating: event.rating, host_rated_at: time }
        : { initiator_rating: event.rating, initiator_rated_at: time };
    case 'ChatCompleted':
      return { status: 'completed', completed_at: time, thread: event.thread, deadline: null };
    case 'ChatVerified':
    case 'ChatNudged':
      return {};
  }
}

const counts = ({ exchanges, totalCharacters, hostCharacters }: ChatCounts): Changes => ({
  exchanges,
  total_characters: totalCharacters,
  host_characters: hostCharacters,
});

/** What the ledger does with a chat's payment and rewards. */
export type ChatPaymentEvent = Extract<
  LedgerEvent,
  {
    type:
      'ChatPaymentHeld' | 'ChatPaymentRefunded' | 'ChatPaymentSettled' | 'ChatRewardReleased' | 'ThreadShareGranted';
  }
>;

const PAYMENTS: ReadonlySet<LedgerEvent['type']> = new Set<ChatPaymentEvent['type']>([
  'ChatPaymentHeld',
  'ChatPaymentRefunded',
  'ChatPaymentSettled',
  'ChatRewardReleased',
  'ThreadShareGranted',
]);

export const isChatPayment = (event: LedgerEvent): event is ChatPaymentEvent => PAYMENTS.has(event.type);

/** How a chat ended, as far as the ledger tells it: there is no stream of the chat where the ledger alone was restored. */
const ENDED_BY: Readonly<Record<RefundReason, ChatRowStatus>> = {
  declined: 'declined',
  expired: 'expired',
  abandoned: 'abandoned',
  terminated: 'terminated',
  idle: 'terminated',
};

/** As `chatChanges`, for the ledger's events. */
export function paymentChanges(row: ChatRow, event: ChatPaymentEvent, time: string): Changes {
  /** A chat of which the ledger alone knows is over once its money has moved: nobody can rate it any more. */
  const over = (status: ChatRowStatus): Changes =>
    row.status === ('held' satisfies ChatRowStatus) ? { status, ended_at: time } : {};
  switch (event.type) {
    case 'ChatPaymentHeld':
      return { price: event.amount, held_at: time };
    case 'ChatPaymentRefunded': {
      const moved = { settled_at: time, paid: 0n, refunded: event.amount, host_share: 0n, host_pending: 0n };
      return { ...moved, ...over(ENDED_BY[event.reason]) };
    }
    case 'ChatPaymentSettled': {
      const { paid, refunded, hostShare, outcome } = event;
      const isSuccess = outcome === 'success';
      const moved = {
        settled_at: time,
        paid,
        refunded,
        host_share: hostShare,
        host_pending: isSuccess ? hostShare : 0n,
      };
      return { ...moved, ...over(isSuccess ? 'completed' : 'terminated') };
    }
    case 'ChatRewardReleased':
      return event.side === 'host'
        ? { host_released_at: time, host_pending: 0n, host_influence: event.influence }
        : { initiator_released_at: time, initiator_influence: event.influence };
    case 'ThreadShareGranted':
      return { thread_granted_at: time };
  }
}
