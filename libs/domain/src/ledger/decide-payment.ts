import { isAccountId, userAccount } from './accounts.js';
import type { CommandOf } from './commands.js';
import { BULK_ROWS_MAX, GIFT_MAX, GIFT_MIN, PAYMENT_SPLIT } from './constants.js';
import { appSpendingRejection } from './decide-app.js';
import type { Ruling } from './decide.js';
import type { LedgerFact } from './events.js';
import { splitByWeights } from '../money/money.js';
import {
  amountRejection,
  closedRejection,
  insufficient,
  paidBy,
  payoutInFull,
  poolOrTreasury,
  recipientRejection,
  refuse,
  spend,
  supplyRejection,
} from './funds.js';
import { TOKEN_POOLS } from './pools.js';
import { Postings, type Mix } from './postings.js';
import type { Rejection } from './rejections.js';
import type { LedgerState } from './state.js';

type PaymentCommand = CommandOf<
  | 'RecordPurchase'
  | 'ReversePurchase'
  | 'SendGift'
  | 'PayForCard'
  | 'GrantNova'
  | 'GrantNovaInBulk'
  | 'DeductNova'
  | 'ClaimQuestReward'
>;

const CARD_EVENTS = {
  unlock: 'CardUnlocked',
  upvote: 'CardUpvoted',
  navigate: 'CardNavigated',
  wall: 'WallCommentPaid',
  scroll: 'FeedScrolled',
} as const;

/** Money that comes in, goes out again, or passes from one member to another. */
export function decidePayment(state: LedgerState, command: PaymentCommand, at: number): Ruling {
  switch (command.type) {
    case 'RecordPurchase':
      return recordPurchase(state, command);
    case 'ReversePurchase':
      return reversePurchase(state, command);
    case 'SendGift':
      return sendGift(state, command, at);
    case 'PayForCard':
      return payForCard(state, command);
    case 'GrantNova':
      return grant(state, command);
    case 'GrantNovaInBulk':
      return grantInBulk(state, command);
    case 'DeductNova':
      return deduct(state, command);
    case 'ClaimQuestReward':
      return claimQuest(state, command);
  }
}

function recordPurchase(state: LedgerState, command: CommandOf<'RecordPurchase'>): Ruling {
  const { type: _, ...facts } = command;
  if (!Number.isSafeInteger(command.chargedCents) || command.chargedCents < 0) {
    return refuse({ code: 'INVALID_COMMAND', message: 'The charge is not a whole number of cents.' });
  }
  const rejection = issueRejection(state, command.userId, command.amount);
  if (rejection) return refuse(rejection);
  const entries = new Postings()
    .add('external:stripe', -command.amount)
    .add(userAccount(command.userId, 'purchased'), command.amount)
    .entries();
  return [{ type: 'NovaPurchased', ...facts, entries }];
}

/** Takes back what is there, purchased, then earned, then owed; the rest is a chargeback. A closed account has nothing. */
function reversePurchase(state: LedgerState, command: CommandOf<'ReversePurchase'>): Ruling {
  const { type: _, ...facts } = command;
  const { userId, amount } = command;
  const rejection = amountRejection(amount);
  if (rejection) return refuse(rejection);
  const paid = state.mix(userId);
  const purchased = min(amount, paid.purchased);
  const before = amount > paid.purchased + paid.earned ? payoutInFull(state, userId) : [];
  if ('rejection' in before) return before;
  const earned = min(amount - purchased, paid.earned + paidBy(before));
  const shortfall = amount - purchased - earned;
  const entries = new Postings()
    .takeFromUser(userId, { purchased, earned })
    .add('external:chargebacks', -shortfall)
    .add('external:stripe', amount)
    .entries();
  return [...before, { type: 'PurchaseReversed', ...facts, shortfall, entries }];
}

function sendGift(state: LedgerState, command: CommandOf<'SendGift'>, at: number): Ruling {
  const { senderId, recipientId, amount, via } = command;
  if (amount < GIFT_MIN || amount > GIFT_MAX) {
    return refuse({ code: 'INVALID_AMOUNT', message: 'Gift amount must be between 1,000 and 1,000,000 Nova.' });
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

function payForCard(state: LedgerState, command: CommandOf<'PayForCard'>): Ruling {
  const { senderId, recipientId, subjectId, amount, kind } = command;
  return payMember(state, command, (shares, entries) => ({
    type: CARD_EVENTS[kind],
    senderId,
    recipientId,
    amount,
    ...shares,
    subjectId,
    entries,
  }));
}

/** Half to the member, half to the holders of Influence; to the treasury while nobody holds any (S1 §9 Gifts). */
function payMember(
  state: LedgerState,
  { senderId, recipientId, amount }: CommandOf<'SendGift' | 'PayForCard'>,
  event: (shares: { recipientShare: bigint; influenceShare: bigint }, entries: LedgerFact['entries']) => LedgerFact,
): Ruling {
  if (senderId === recipientId) {
    return refuse({ code: 'SELF_PAYMENT', message: 'You cannot send Nova to yourself.' });
  }
  const rejection = recipientRejection(state, recipientId);
  if (rejection) return refuse(rejection);
  const funds = spend(state, senderId, amount);
  if ('rejection' in funds) return funds;
  const [recipientShare = 0n, influenceShare = 0n] = splitByWeights(amount, PAYMENT_SPLIT);
  const entries = new Postings()
    .takeFromUser(senderId, funds.mix)
    .add(userAccount(recipientId, 'earned'), recipientShare)
    .add(poolOrTreasury(state, TOKEN_POOLS.influence), influenceShare)
    .entries();
  return [...funds.before, event({ recipientShare, influenceShare }, entries)];
}

function grant(state: LedgerState, command: CommandOf<'GrantNova'>): Ruling {
  const { userId, adminId, amount } = command;
  const rejection = issueRejection(state, userId, amount);
  if (rejection) return refuse(rejection);
  return [{ type: 'NovaGranted', userId, adminId, amount, entries: issue(userId, amount) }];
}

/** All of them or none: the first that cannot be made refuses the rest with it. */
function grantInBulk(state: LedgerState, { adminId, grants }: CommandOf<'GrantNovaInBulk'>): Ruling {
  if (grants.length === 0 || grants.length > BULK_ROWS_MAX) {
    return refuse({ code: 'INVALID_COMMAND', message: `A bulk has 1 to ${BULK_ROWS_MAX} rows.` });
  }
  const facts: LedgerFact[] = [];
  let total = 0n;
  for (const { userId, amount, cause } of grants) {
    const rejection = idRejection(userId) ?? issueRejection(state, userId, amount);
    if (rejection) return refuse(rejection);
    total += amount;
    const entries = issue(userId, amount);
    facts.push({ type: 'NovaGranted', userId, adminId, amount, entries, ...(cause === undefined ? {} : { cause }) });
  }
  const tooMuch = supplyRejection(state, total);
  return tooMuch ? refuse(tooMuch) : facts;
}

const idRejection = (userId: string): Rejection | undefined =>
  isAccountId(userId) ? undefined : { code: 'INVALID_COMMAND', message: 'The field userId is not an id.' };

function claimQuest(state: LedgerState, command: CommandOf<'ClaimQuestReward'>): Ruling {
  const { userId, questId, amount } = command;
  const rejection = issueRejection(state, userId, amount);
  if (rejection) return refuse(rejection);
  return [{ type: 'QuestRewardClaimed', userId, questId, amount, entries: issue(userId, amount) }];
}

function issueRejection(state: LedgerState, userId: string, amount: bigint): Rejection | undefined {
  return amountRejection(amount) ?? closedRejection(state, userId) ?? supplyRejection(state, amount);
}

const issue = (userId: string, amount: bigint): LedgerFact['entries'] =>
  new Postings().add('issuance:NOVA', -amount).add(userAccount(userId, 'earned'), amount).entries();

/** An admin's deduction takes earned, then purchased; a frozen member is no exception. */
function deduct(state: LedgerState, command: CommandOf<'DeductNova'>): Ruling {
  const { userId, adminId, amount } = command;
  const rejection = amountRejection(amount) ?? closedRejection(state, userId);
  if (rejection) return refuse(rejection);
  const available = state.novaBalance(userId);
  if (amount > available) return refuse({ ...insufficient(available), message: 'Amount exceeds current balance' });
  const paid = state.mix(userId);
  const before = amount > paid.earned ? payoutInFull(state, userId) : [];
  if ('rejection' in before) return before;
  const earned = min(amount, paid.earned + paidBy(before));
  const mix: Mix = { earned, purchased: amount - earned };
  const entries = new Postings().takeFromUser(userId, mix).add('issuance:NOVA', amount).entries();
  return [...before, { type: 'NovaDeducted', userId, adminId, amount, entries }];
}

// Stryker disable next-line EqualityOperator: of two equal numbers either is the smaller
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
