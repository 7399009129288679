import type {
  ChatAccepted,
  ChatEvent,
  ChatMessageSent,
  ChatRequested,
  LedgerEvent,
  LedgerEventType,
} from '@app/domain';
import type { NewNotice } from './notice.js';
import type { NewPush } from './push/push.js';

const HOUR_MS = 60 * 60_000;

/** What an event leads to. */
export interface Told {
  readonly notices?: readonly NewNotice[];
  readonly pushes?: readonly NewPush[];
}

type LedgerEventOf<T extends LedgerEventType> = Extract<LedgerEvent, { type: T }>;

/** @param source the event's id */
export function toldOfChat(event: ChatEvent, source: string): Told {
  if (event.type === 'ChatRequested') return toldOfRequest(event, source);
  if (event.type === 'ChatAccepted') return toldOfAcceptance(event, source);
  return event.type === 'ChatMessageSent' ? toldOfMessage(event) : {};
}

/** What is said of money: the ledger has moved it by then. @param source the event's id */
export function toldOfLedger(event: LedgerEvent, source: string): Told {
  if (event.type === 'ChatPaymentRefunded') return { notices: ofRefund(event, source) };
  if (event.type === 'ChatPaymentSettled') return { notices: ofSettlement(event, source) };
  if (event.type === 'ChatRewardReleased') return { notices: ofReward(event, source) };
  return event.type === 'GiftSent' ? toldOfGift(event, source) : {};
}

function toldOfRequest({ chatId, initiatorId, hostId: memberId, at, acceptBy }: ChatRequested, source: string): Told {
  const facts = { chatId, otherId: initiatorId };
  return {
    notices: [{ memberId, source, kind: 'chat_request', facts, at }],
    pushes: [{ memberId, kind: 'chat_request', topic: `request:${chatId}`, facts, expiresAt: acceptBy }],
  };
}

function toldOfAcceptance({ chatId, initiatorId: memberId, hostId, at }: ChatAccepted, source: string): Told {
  const facts = { chatId, otherId: hostId };
  return {
    notices: [{ memberId, source, kind: 'chat_accepted', facts, at }],
    pushes: [{ memberId, kind: 'chat_accepted', topic: `accepted:${chatId}`, facts, expiresAt: at + HOUR_MS }],
  };
}

function toldOfMessage({ chatId, initiatorId, hostId, side, senderId, messageId, at }: ChatMessageSent): Told {
  const memberId = side === 'host' ? initiatorId : hostId;
  const facts = { chatId, otherId: senderId, messageId };
  return { pushes: [{ memberId, kind: 'message', topic: `message:${chatId}`, facts, expiresAt: at + 4 * HOUR_MS }] };
}

function ofRefund(event: LedgerEventOf<'ChatPaymentRefunded'>, source: string): NewNotice[] {
  const { chatId, initiatorId, hostId, amount, reason, at } = event;
  const facts = { chatId, otherId: hostId, refunded: String(amount) };
  const toInitiator = { memberId: initiatorId, source, facts, at };
  if (reason === 'declined') return [{ ...toInitiator, kind: 'chat_declined' }];
  if (reason === 'expired' || reason === 'abandoned') return [{ ...toInitiator, kind: 'chat_expired' }];
  return [
    { ...toInitiator, kind: 'chat_ended' },
    { memberId: hostId, source, kind: 'chat_ended', facts: { chatId, otherId: initiatorId }, at },
  ];
}

function ofSettlement(event: LedgerEventOf<'ChatPaymentSettled'>, source: string): NewNotice[] {
  const { chatId, initiatorId, hostId, outcome, refunded, hostShare, at } = event;
  const [toInitiator, toHost] = [
    { chatId, otherId: hostId },
    { chatId, otherId: initiatorId },
  ];
  const told = (kind: NewNotice['kind'], initiators: NewNotice['facts'], hosts: NewNotice['facts']): NewNotice[] => [
    { memberId: initiatorId, source, kind, facts: initiators, at },
    { memberId: hostId, source, kind, facts: hosts, at },
  ];
  if (outcome === 'success') return told('chat_succeeded', toInitiator, toHost);
  return told('chat_ended', { ...toInitiator, refunded: String(refunded) }, { ...toHost, earned: String(hostShare) });
}

function ofReward(event: LedgerEventOf<'ChatRewardReleased'>, source: string): NewNotice[] {
  const { chatId, userId: memberId, amount, influence, at } = event;
  if (amount === 0n && influence === 0n) return [];
  const facts = { chatId, earned: String(amount), influence: Number(influence) };
  return [{ memberId, source, kind: 'reward_released', facts, at }];
}

function toldOfGift(event: LedgerEventOf<'GiftSent'>, source: string): Told {
  const { senderId, recipientId: memberId, recipientShare, at } = event;
  const facts = { otherId: senderId, earned: String(recipientShare) };
  return {
    notices: [{ memberId, source, kind: 'gift_received', facts, at }],
    pushes: [{ memberId, kind: 'gift', topic: `gift:${source}`, facts, expiresAt: at + 24 * HOUR_MS }],
  };
}
