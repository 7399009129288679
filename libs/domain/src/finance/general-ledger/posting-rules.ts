import { NOVA_PER_DOLLAR } from '../../ledger/constants.js';
import { MINOR_UNITS } from '../../ledger/currencies.js';
import { chatAccount, userAccount } from '../../ledger/accounts.js';
import type { FactOf, LedgerFact, Stamp } from '../../ledger/events.js';
import { mixMinus, purchasedFirst, smaller, sumOf } from '../../ledger/postings.js';
import type { DollarAccount } from './chart.js';
import {
  bucketOf,
  DEAREST_PRICE,
  type Flow,
  gainsOf,
  givenBy,
  LIST_PRICE,
  MICROS_PER_CENT,
  OPEN_ACCOUNT,
  type PurchasePrice,
  type Reversal,
  type Valuation,
} from './valuation.js';

type Entries = Pick<LedgerFact, 'entries'>;

/** Posts one event of the journal in dollars. */
export type PostingRule<E> = (books: Valuation, event: E & Stamp) => void;

/*
 * The posting rules: what each event of the journal means in dollars (rule finance-6). Every movement names the rule of
 * its events (`posts`). Movements of the provider's balance have theirs in `provider-rules.ts`: neither half reads the
 * other.
 */

/** Cash in clearing until the provider's movement arrives, and as much deferred revenue. */
export function postSale(
  books: Valuation,
  { userId, amount, paymentIntentId, chargedCents, livemode, cause }: FactOf<'NovaPurchased'> & Stamp,
): void {
  const price = { nova: amount, cents: BigInt(chargedCents), isDemo: cause === 'demo', livemode };
  // What a payment credits a second time stays open in clearing, and keeps the first price.
  if (!books.state.purchase(paymentIntentId)) books.state.setPurchase(paymentIntentId, price);
  const paid = price.cents * MICROS_PER_CENT;
  postCash(books, price, paid, paymentIntentId);
  books.give(userAccount(userId, 'purchased'), amount, paid);
  books.defer('sold', paid);
}

/** The price of a reversed purchase that is not in the journal: reconciliation names it. */
const LIST: PurchasePrice = {
  nova: BigInt(NOVA_PER_DOLLAR) * MINOR_UNITS.NOVA,
  cents: 100n,
  isDemo: false,
  livemode: true,
};

/**
 * Takes back what was paid for this Nova. What the member still has leaves deferred revenue at that price; what they used
 * already is our loss. What they no longer have they owe us, unless admins took it from them before.
 */
export function postSaleReversal(books: Valuation, event: FactOf<'PurchaseReversed'> & Stamp): void {
  const { userId, amount, shortfall, paymentIntentId, reversalId, reason, entries } = event;
  const price = books.state.purchase(paymentIntentId) ?? LIST;
  const back = ((2n * amount * price.cents + price.nova) / (2n * price.nova)) * MICROS_PER_CENT;
  const [own, earnedAccount] = [userAccount(userId, 'purchased'), userAccount(userId, 'earned')];
  const [fromPurchased, fromEarned] = [-sumOf(entries, own), -sumOf(entries, earnedAccount)];
  const purchased = fromPurchased > 0n ? books.takeAs(own, fromPurchased, (back * fromPurchased) / amount) : 0n;
  const earned = fromEarned > 0n ? books.take(earnedAccount, fromEarned) : 0n;
  const value = (back * (amount - shortfall)) / amount;
  const loss = LOSS[reason];
  books.defer('reversed', -purchased - earned);
  books.post(loss, value - purchased - earned);
  const { isDemo } = price;
  giveBackCash(books, { reversalId, paymentIntentId, reason, isDemo }, back);
  const member = books.state.member(userId) ?? OPEN_ACCOUNT;
  const drawn = smaller(back - value, member.unclaimed);
  if (drawn > 0n) {
    books.state.setMember(userId, { ...member, unclaimed: member.unclaimed - drawn });
    books.post('liabilities:unclaimed', drawn, userId);
  }
  const short = back - value - drawn;
  books.post(loss, short);
  // All of a debt is allowed for: it lowers the loss only once it is paid.
  const open = member.isClosed ? 0n : short;
  owe(books, userId, open);
  const openNova = open > 0n ? shortfall : 0n;
  const facts = { userId, paymentIntentId, reason, isDemo, back, value, purchased, earned, drawn, openNova, open };
  books.state.setReversal(reversalId, { ...facts, repaid: 0n, repaidCarry: 0n });
}

/** The provider gives money back, by the payment or by the dispute. Below zero it comes back to us. */
function giveBackCash(
  books: Valuation,
  reversal: Pick<Reversal, 'paymentIntentId' | 'reason' | 'isDemo'> & { readonly reversalId: string },
  micros: bigint,
): void {
  const { reversalId, paymentIntentId, reason, isDemo } = reversal;
  if (reason === 'dispute' && !isDemo) books.post('assets:provider:disputes', -micros, reversalId);
  else postCash(books, { isDemo }, -micros, paymentIntentId);
}

const LOSS = { refund: 'income:refunds', dispute: 'expenses:losses:disputes' } as const;

/** Changes what a member owes, and the allowance for it. */
function owe(books: Valuation, userId: string, micros: bigint): void {
  books.post('assets:receivables:members', micros, userId);
  books.post('assets:receivables:allowance', -micros, userId);
}

/** A demo's purchases have no payment. */
function postCash(
  books: Valuation,
  { isDemo }: Pick<PurchasePrice, 'isDemo'>,
  micros: bigint,
  paymentIntentId: string,
): void {
  if (isDemo) books.post('equity:demo', micros);
  else books.post('assets:provider:clearing', micros, paymentIntentId);
}

const COMMISSION = 'income:revenue:commission' satisfies DollarAccount;

/** All that is given goes to all who gain. What reaches the treasury is our commission; the rest stays deferred. */
export function carryOver(books: Valuation, { entries }: Entries): void {
  const carry = givenBy(entries).reduce((sum, [account, nova]) => sum + books.take(account, nova), 0n);
  books.release('commission', books.spread(carry, gainsOf(entries)), COMMISSION);
}

/** Promotional Nova costs nothing. */
export function carryNothing(books: Valuation, { entries }: Entries): void {
  for (const [account, nova] of gainsOf(entries)) books.give(account, nova, 0n);
}

const BUCKETS = ['purchased', 'earned'] as const;

/** Purchased and earned Nova stay apart. */
export function carryByBucket(books: Valuation, { entries }: Entries): void {
  for (const bucket of BUCKETS) {
    const ofBucket = entries.filter(([account]) => account.endsWith(`:${bucket}`));
    const carry = givenBy(ofBucket).reduce((sum, [account, nova]) => sum + books.take(account, nova), 0n);
    books.spread(carry, gainsOf(ofBucket));
  }
}

/** The escrow keeps purchased and earned Nova apart. */
export function carryIntoEscrow(
  books: Valuation,
  { chatId, initiatorId, entries }: FactOf<'ChatPaymentHeld'> & Stamp,
): void {
  for (const bucket of BUCKETS) {
    const account = userAccount(initiatorId, bucket);
    const nova = -sumOf(entries, account);
    if (nova > 0n) books.give(bucketOf(chatAccount(chatId), bucket), nova, books.take(account, nova));
  }
}

/** The part that is paid comes from purchased Nova first; the rest goes back to where it came from. */
export function postSettlement(books: Valuation, event: FactOf<'ChatPaymentSettled'> & Stamp): void {
  const { chatId, initiatorId, paid, entries } = event;
  const chat = chatAccount(chatId);
  const held = {
    purchased: books.holding(bucketOf(chat, 'purchased')).nova,
    earned: books.holding(bucketOf(chat, 'earned')).nova,
  };
  const taken = purchasedFirst(paid, held);
  let carry = 0n;
  for (const bucket of BUCKETS) if (taken[bucket] > 0n) carry += books.take(bucketOf(chat, bucket), taken[bucket]);
  const back = mixMinus(held, taken);
  const returned: string[] = BUCKETS.map((bucket) => userAccount(initiatorId, bucket));
  const forfeited = giveBack(books, { chat, initiatorId, entries, back });
  const gains = gainsOf(entries)
    .filter(([account]) => !returned.includes(account))
    .map(([account, nova]) => [account, account === 'treasury' ? nova - forfeited : nova] as const)
    .filter(([, nova]) => nova > 0n);
  books.release('commission', books.spread(carry, gains), COMMISSION);
}

/** All of it goes back to where it came from. */
export function carryOutOfEscrow(
  books: Valuation,
  { chatId, initiatorId, entries }: FactOf<'ChatPaymentRefunded'> & Stamp,
): void {
  const chat = chatAccount(chatId);
  const back = {
    purchased: books.holding(bucketOf(chat, 'purchased')).nova,
    earned: books.holding(bucketOf(chat, 'earned')).nova,
  };
  giveBack(books, { chat, initiatorId, entries, back });
}

/** Returns an escrow to the initiator's accounts. @returns the Nova that a closed account leaves to the treasury */
function giveBack(
  books: Valuation,
  {
    chat,
    initiatorId,
    entries,
    back,
  }: { chat: string; initiatorId: string; entries: LedgerFact['entries']; back: { purchased: bigint; earned: bigint } },
): bigint {
  let forfeited = 0n;
  for (const bucket of BUCKETS) {
    if (back[bucket] === 0n) continue;
    const carry = books.take(bucketOf(chat, bucket), back[bucket]);
    const account = userAccount(initiatorId, bucket);
    if (sumOf(entries, account) > 0n) books.give(account, back[bucket], carry);
    else {
      leave(books, initiatorId, carry);
      forfeited += back[bucket];
    }
  }
  return forfeited;
}

/**
 * Takes Nova that cost nothing first, so that granting and taking away again is worth nothing. What was paid for is still
 * the member's.
 */
export function postDeduction(
  books: Valuation,
  { userId, entries }: Pick<FactOf<'NovaDeducted'>, 'userId' | 'entries'>,
): void {
  const carry = givenBy(entries).reduce((sum, [account, nova]) => sum + books.takeAs(account, nova, 0n), 0n);
  keepUnclaimed(books, 'deducted', userId, carry);
}

function keepUnclaimed(books: Valuation, flow: Flow, userId: string, carry: bigint): void {
  const member = books.state.member(userId) ?? OPEN_ACCOUNT;
  if (carry > 0n) books.state.setMember(userId, { ...member, unclaimed: member.unclaimed + carry });
  books.release(flow, carry, 'liabilities:unclaimed', userId);
}

/** What a closed account leaves: forfeited by its member, or waiting for them. */
function leave(books: Valuation, userId: string, carry: bigint): void {
  if (books.state.member(userId)?.forfeits) books.release('forfeited', carry, 'income:breakage:forfeited');
  else keepUnclaimed(books, 'forfeited', userId, carry);
}

/** Burning ends what we owe for the Nova. What a pool without holders leaves is commission. */
export function postBurn(books: Valuation, { userId, entries }: FactOf<'TokensBurned'> & Stamp): void {
  const own = userAccount(userId, 'earned');
  for (const [account, nova] of givenBy(entries)) {
    const carry = books.take(account, nova);
    if (account === own) books.release('burned', carry, 'income:revenue:burns');
    else books.release('commission', carry, COMMISSION);
  }
}

/** A member who closes the account forfeits what is in it. */
export function noteClosing(books: Valuation, { userId, actor }: FactOf<'AccountClosing'> & Stamp): void {
  if (actor !== `member:${userId}`) return;
  const member = books.state.member(userId) ?? OPEN_ACCOUNT;
  books.state.setMember(userId, { ...member, forfeits: true });
}

/** What an admin closes waits for its owner. What a closed account owes is lost. */
export function postClosing(books: Valuation, { userId, entries }: FactOf<'AccountClosed'> & Stamp): void {
  let left = 0n;
  for (const [account, nova] of givenBy(entries)) {
    const carry = books.take(account, nova);
    if (account.startsWith('pool:')) books.release('commission', carry, COMMISSION);
    else left += carry;
  }
  leave(books, userId, left);
  for (const [reversalId, reversal] of books.state.openReversals(userId)) {
    owe(books, userId, -reversal.open);
    books.state.setReversal(reversalId, { ...reversal, open: 0n, openNova: 0n });
  }
  const member = books.state.member(userId) ?? OPEN_ACCOUNT;
  books.state.setMember(userId, { ...member, isClosed: true });
}

/**
 * The Nova comes back with what it carries now. Purchased Nova was paid for, so it carries the list price at least: what
 * is lacking for it takes back our commission, or is our loss. A grant is taken back as a deduction, and what a deduction
 * took of paid Nova comes back from what waits for the member.
 */
export function postReversal(books: Valuation, event: FactOf<'MovementReversed'> & Stamp): void {
  const { originalType, userId, entries } = event;
  if (originalType === 'NovaGranted') return postDeduction(books, { userId, entries });
  const gains = gainsOf(entries);
  if (originalType === 'NovaDeducted') {
    const member = books.state.member(userId) ?? OPEN_ACCOUNT;
    const unclaimed = smaller(member.unclaimed, novaIn(gains) * LIST_PRICE);
    books.state.setMember(userId, { ...member, unclaimed: member.unclaimed - unclaimed });
    books.defer('deducted', unclaimed);
    books.post('liabilities:unclaimed', unclaimed, userId);
    const lacking = returnCarry(books, gains, unclaimed);
    books.defer('deducted', lacking);
    return books.post(MEMBER_LOSS, lacking);
  }
  const given = givenBy(entries).filter(([account]) => account !== 'treasury');
  const carry = given.reduce((sum, [account, nova]) => sum + books.take(account, nova), 0n);
  const lacking = returnCarry(books, gains, carry);
  books.defer('commission', lacking);
  books.post(originalType === 'GiftSent' ? COMMISSION : MEMBER_LOSS, lacking);
}

const MEMBER_LOSS = 'expenses:losses:members' satisfies DollarAccount;

const novaIn = (gains: ReturnType<typeof gainsOf>): bigint => gains.reduce((sum, [, nova]) => sum + nova, 0n);

const within = (least: bigint, value: bigint, most: bigint): bigint => smaller(value < least ? least : value, most);

/** Gives carry to those who gain, purchased Nova at a price that a sale can have. @returns what was lacking for that */
function returnCarry(books: Valuation, gains: ReturnType<typeof gainsOf>, carry: bigint): bigint {
  const nova = novaIn(gains);
  let left = carry;
  let lacking = 0n;
  for (const [account, gained] of gains) {
    if (!account.endsWith(':purchased')) continue;
    const part = within(LIST_PRICE * gained, (carry * gained) / nova, DEAREST_PRICE * gained);
    books.give(account, gained, part);
    lacking += part > left ? part - left : 0n;
    left = part > left ? 0n : left - part;
  }
  const others = gains.filter(([account]) => !account.endsWith(':purchased'));
  if (others.length > 0) books.spread(left, others);
  else lacking -= left;
  return lacking;
}

/** Undoes what the reversal of the purchase posted: carry, loss, debt, and what was repaid of it. */
export function postReinstatement(books: Valuation, event: FactOf<'PurchaseReinstated'> & Stamp): void {
  const { userId, reversalId, purchased, earned, repaid } = event;
  const reversal = books.state.reversal(reversalId) ?? listReversal(event);
  giveBackCash(books, { ...reversal, reversalId }, -reversal.back);
  const bought = purchased + repaid;
  const carries = [
    within(LIST_PRICE * bought, reversal.purchased + reversal.repaidCarry, DEAREST_PRICE * bought),
    within(0n, reversal.earned, DEAREST_PRICE * earned),
  ] as const;
  if (bought > 0n) books.give(userAccount(userId, 'purchased'), bought, carries[0]);
  if (earned > 0n) books.give(userAccount(userId, 'earned'), earned, carries[1]);
  const carried = carries[0] + carries[1];
  books.defer('reversed', carried);
  const member = books.state.member(userId) ?? OPEN_ACCOUNT;
  books.state.setMember(userId, { ...member, unclaimed: member.unclaimed + reversal.drawn });
  books.post('liabilities:unclaimed', -reversal.drawn, userId);
  books.post(LOSS[reversal.reason], carried + reversal.drawn - reversal.back);
  owe(books, userId, -reversal.open);
  books.state.setReversal(reversalId, { ...reversal, drawn: 0n, open: 0n, openNova: 0n });
}

/** A reversal that is not in the journal, at the list price: the audit names it. */
function listReversal({ userId, paymentIntentId, reason, amount }: FactOf<'PurchaseReinstated'>): Reversal {
  const facts = { userId, paymentIntentId, reason, isDemo: false, back: amount * LIST_PRICE, value: 0n };
  return { ...facts, purchased: 0n, earned: 0n, drawn: 0n, openNova: 0n, open: 0n, repaid: 0n, repaidCarry: 0n };
}

/** What the repaid Nova carries lowers the loss; the debt and its allowance fall by its value. */
export function postRepayment(books: Valuation, event: FactOf<'ShortfallRepaid'> & Stamp): void {
  const { userId, reversalId, amount, entries } = event;
  const reversal = books.state.reversal(reversalId);
  const carry = givenBy(entries).reduce((sum, [account, nova]) => sum + books.take(account, nova), 0n);
  books.release('reversed', carry, LOSS[reversal?.reason ?? 'refund']);
  if (!reversal) return;
  // What came out of earlier deductions is owed in Nova and no longer in dollars.
  const { openNova, open } = reversal;
  const value = openNova > amount ? (open * amount) / openNova : open;
  owe(books, userId, -value);
  books.state.setReversal(reversalId, {
    ...reversal,
    openNova: openNova > amount ? openNova - amount : 0n,
    open: open - value,
    repaid: reversal.repaid + value,
    repaidCarry: reversal.repaidCarry + carry,
  });
}

/** The debt and its allowance end: the loss was posted when the purchase was reversed. */
export function postWriteOff(books: Valuation, { userId, reversalId }: FactOf<'ShortfallWrittenOff'> & Stamp): void {
  const reversal = books.state.reversal(reversalId);
  if (!reversal) return;
  owe(books, userId, -reversal.open);
  books.state.setReversal(reversalId, { ...reversal, open: 0n, openNova: 0n });
}
