import { type ChatEvent, type LedgerEvent } from '@app/domain';
import type { NewNotice } from './notice.js';
import type { NewPush } from './push/push.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What an event leads to. */
export interface Told {
  readonly notices: readonly NewNotice[];
  readonly pushes: readonly NewPush[];
}

const NOTHING: Told = { notices: [], pushes: [] };

/** @param source the event's id */
export function toldOfChat(event: ChatEvent, source: string): Told {
  const { chatId, initiatorId, hostId, at } = event;
  switch (event.type) {
    case 'ChatRequested': {
      const facts = { chatId, otherId: initiatorId };
      return {
        notices: [{ memberId: hostId, source, kind: 'chat_request', facts, at }],
        pushes: [
          { memberId: hostId, kind: 'chat_request', topic: `request:${chatId}`, facts, expiresAt: event.acceptBy },
        ],
      };
    }
    case 'ChatAccepted': {
      const facts = { chatId, otherId: hostId };
      const expiresAt = at + HOUR_MS;
      return {
        notices: [{ memberId: initiatorId, source, kind: 'chat_accepted', facts, at }],
        pushes: [{ memberId: initiatorId, kind: 'chat_accepted', topic: `accepted:${chatId}`, facts, expiresAt }],
      };
    }
    case 'ChatMessageSent': {
      const memberId = event.side === 'host' ? initiatorId : hostId;
      const facts = { chatId, otherId: event.senderId, messageId: event.messageId };
      const expiresAt = at + 4 * HOUR_MS;
      return { notices: [], pushes: [{ memberId, kind: 'message', topic: `message:${chatId}`, facts, expiresAt }] };
    }
    default:
      return NOTHING;
  }
}

/** What is said of money: the ledger has moved it by then. @param source the event's id */
export function toldOfLedger(event: LedgerEvent, source: string): Told {
  const { at } = event;
  switch (event.type) {
    case 'ChatPaymentRefunded': {
      const { chatId, initiatorId, hostId, amount, reason } = event;
      const refunded = { chatId, otherId: hostId, refunded: String(amount) };
      const toInitiator = { memberId: initiatorId, source, facts: refunded, at };
      if (reason === 'declined') return { notices: [{ ...toInitiator, kind: 'chat_declined' }], pushes: [] };
      if (reason === 'expired' || reason === 'abandoned') {
        return { notices: [{ ...toInitiator, kind: 'chat_expired' }], pushes: [] };
      }
      const toHost = { memberId: hostId, source, facts: { chatId, otherId: initiatorId }, at };
      return { notices: [toInitiator, toHost].map((told) => ({ ...told, kind: 'chat_ended' as const })), pushes: [] };
    }
    case 'ChatPaymentSettled': {
      const { chatId, initiatorId, hostId, outcome, refunded, hostShare } = event;
      const isSuccess = outcome === 'success';
      const kind = isSuccess ? 'chat_succeeded' : 'chat_ended';
      const initiators = { chatId, otherId: hostId, ...(!isSuccess && { refunded: String(refunded) }) };
      const hosts = { chatId, otherId: initiatorId, ...(!isSuccess && { earned: String(hostShare) }) };
      return {
        notices: [
          { memberId: initiatorId, source, kind, facts: initiators, at },
          { memberId: hostId, source, kind, facts: hosts, at },
        ],
        pushes: [],
      };
    }
    case 'ChatRewardReleased': {
      const { chatId, userId, amount, influence } = event;
      if (amount === 0n && influence === 0n) return NOTHING;
      const facts = { chatId, earned: String(amount), influence: Number(influence) };
      return { notices: [{ memberId: userId, source, kind: 'reward_released', facts, at }], pushes: [] };
    }
    case 'GiftSent': {
      const { senderId, recipientId, recipientShare } = event;
      const facts = { otherId: senderId, earned: String(recipientShare) };
      const expiresAt = at + 24 * HOUR_MS;
      return {
        notices: [{ memberId: recipientId, source, kind: 'gift_received', facts, at }],
        pushes: [{ memberId: recipientId, kind: 'gift', topic: `gift:${source}`, facts, expiresAt }],
      };
    }
    default:
      return NOTHING;
  }
}
