import { IDLE_CHAT_MS, type ChatCounts, type ChatEvent, type LedgerEvent, type RefundReason } from '@app/domain';
import type { ChatRow, ChatRowStatus } from './chat-row.js';

type Changes = Partial<ChatRow>;

const timeText = (atMs: number): string => new Date(atMs).toISOString();

/** What an event of its own stream changes in a chat's row. @param time of the event, as text */
export function chatChanges(row: ChatRow, event: ChatEvent, time: string): Changes {
  switch (event.type) {
    case 'ChatRequested': {
      const acceptBy = timeText(event.acceptBy);
      return { status: 'requested', price: event.price, requestedAt: time, acceptBy, deadline: acceptBy };
    }
    case 'ChatRequestAbandoned':
      return { status: 'abandoned', endedAt: time, deadline: null };
    case 'ChatAccepted': {
      const verifyBy = timeText(event.verifyBy);
      return { status: 'active', acceptedAt: time, verifyBy, deadline: verifyBy };
    }
    case 'ChatDeclined':
      return { status: 'declined', endedAt: time, deadline: null };
    case 'ChatRequestExpired':
      return { status: 'expired', endedAt: time, deadline: null };
    case 'ChatMessageSent': {
      const firstHost = row.firstHostMessageAt ?? (event.side === 'host' ? time : null);
      return {
        ...counts(event),
        firstHostMessageAt: firstHost,
        lastMessageAt: time,
        lastSide: event.side,
        deadline: firstHost === null ? row.verifyBy : timeText(event.at + IDLE_CHAT_MS),
      };
    }
    case 'ChatSucceeded': {
      const rateBy = timeText(event.rateBy);
      return {
        ...counts(event),
        status: 'successful',
        succeededAt: time,
        endedAt: time,
        rateBy,
        deadline: rateBy,
      };
    }
    case 'ChatTerminated':
      return {
        ...counts(event),
        status: 'terminated',
        endedAt: time,
        terminatedBy: event.by,
        terminationCause: event.cause,
        deadline: null,
      };
    case 'ChatRated':
      return event.side === 'host'
        ? { hostRating: event.rating, hostRatedAt: time }
        : { initiatorRating: event.rating, initiatorRatedAt: time };
    case 'ChatCompleted':
      return { status: 'completed', completedAt: time, thread: event.thread, deadline: null };
    case 'ChatVerified':
    case 'ChatNudged':
      return {};
  }
}

const counts = ({ exchanges, totalCharacters, hostCharacters }: ChatCounts): Changes => ({
  exchanges,
  totalCharacters,
  hostCharacters,
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
  const over = (status: ChatRowStatus): Changes => (row.status === 'held' ? { status, endedAt: time } : {});
  switch (event.type) {
    case 'ChatPaymentHeld':
      return { price: event.amount, heldAt: time };
    case 'ChatPaymentRefunded': {
      const moved = { settledAt: time, paid: 0n, refunded: event.amount, hostShare: 0n, hostPending: 0n };
      return { ...moved, ...over(ENDED_BY[event.reason]) };
    }
    case 'ChatPaymentSettled': {
      const { paid, refunded, hostShare, outcome } = event;
      const isSuccess = outcome === 'success';
      const moved = {
        settledAt: time,
        paid,
        refunded,
        hostShare,
        hostPending: isSuccess ? hostShare : 0n,
      };
      return { ...moved, ...over(isSuccess ? 'completed' : 'terminated') };
    }
    case 'ChatRewardReleased':
      return event.side === 'host'
        ? { hostReleasedAt: time, hostPending: 0n, hostInfluence: event.influence }
        : { initiatorReleasedAt: time, initiatorInfluence: event.influence };
    case 'ThreadShareGranted':
      return { threadGrantedAt: time };
  }
}
