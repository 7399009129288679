import { carryOver } from '../../finance/general-ledger/posting-rules.js';
import { GIFT_MESSAGES } from '../../amount-texts.js';
import { novaText } from '../../money/money.js';
import type { AppSpendingContext } from '../commands.js';
import { GIFT_MAX, GIFT_MIN } from '../constants.js';
import { appSpendingRejection, refuse, UNKNOWN_DAILY_LIMIT } from '../funds.js';
import type { LedgerState } from '../state.js';
import { MEMBER_PAYMENT_FIELDS, payMember, type MemberPayment } from './member-payment.js';
import type { Movement, Ruling } from './movement.js';

export interface SendGift {
  readonly type: 'SendGift';
  readonly senderId: string;
  readonly recipientId: string;
  readonly amount: bigint;
  readonly via?: AppSpendingContext;
}

export interface GiftSent extends MemberPayment<'GiftSent'> {
  /** The OAuth application through which the member sent it, if any. */
  readonly clientId?: string;
}

function sendGift(state: LedgerState, command: SendGift, at: number): Ruling {
  const { senderId, recipientId, amount, via } = command;
  if (amount < GIFT_MIN || amount > GIFT_MAX) {
    return refuse({ code: 'INVALID_AMOUNT', message: GIFT_MESSAGES.amount });
  }
  const limited = via && appSpendingRejection(state, senderId, amount, via, at);
  if (limited) return refuse(limited);
  return payMember(state, command, (shares, entries) => ({
    type: 'GiftSent',
    senderId,
    recipientId,
    amount,
    ...shares,
    ...(via && { clientId: via.clientId }),
    entries,
  }));
}

export const gift: Movement<SendGift, GiftSent, 'gift_send' | 'gift_receive'> = {
  commands: { SendGift: sendGift },
  events: {
    GiftSent: {
      fields: { ...MEMBER_PAYMENT_FIELDS, clientId: 'optional-text' },
      effect: null,
      posts: carryOver,
      cameFrom: ({ senderId, recipientId, amount, clientId }) => {
        const via =
          clientId === undefined ? undefined : { clientId, ownerId: clientId, dailyLimit: UNKNOWN_DAILY_LIMIT };
        return { type: 'SendGift', senderId, recipientId, amount, ...(via && { via }) };
      },
      onceOnly: null,
      sentence: ({ senderId, recipientId, amount, clientId }, { member, application }) => {
        const through = clientId === undefined ? '' : ` through ${application(clientId)}`;
        return `${member(senderId)} sent a gift of ${novaText(amount)} to ${member(recipientId)}${through}`;
      },
      statementRows: ({ senderId, recipientId, clientId = null }, userId) =>
        userId === senderId
          ? [{ type: 'gift_send', counterpartyId: recipientId, clientId }]
          : [{ type: 'gift_receive', counterpartyId: senderId, clientId }],
      throughApp: ({ senderId: userId, recipientId, amount, clientId }) =>
        clientId === undefined
          ? undefined
          : { type: 'transfer', clientId, userId, amount, recipientId, countsAgainstDailyLimit: true },
      quests: ({ senderId, recipientId, recipientShare }) => [
        { userId: senderId, rule: 'gifts_sent', amount: 1n },
        { userId: recipientId, rule: 'nova_earned', amount: recipientShare },
      ],
      chart: ({ amount }) => ['gifts', amount],
      announces: ({ senderId, recipientId, amount, recipientShare }) => ({
        frame: 'gift_received',
        senderId,
        recipientId,
        amount,
        recipientShare,
      }),
    },
  },
  rows: {
    gift_send: { words: ({ party, through }) => `Gift to ${party}${through}`, earnedFromOthers: false },
    gift_receive: { words: ({ party, through }) => `Gift from ${party}${through}`, earnedFromOthers: true },
  },
};
