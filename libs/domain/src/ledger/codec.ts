import type { AccountName, PoolName } from './accounts.js';
import { CURRENCIES, type Currency } from './currencies.js';
import type { Entry, LedgerEvent, LedgerEventType, LedgerFact } from './events.js';

/**
 * How a field is written: `text`, `number` and `boolean` as JSON has them, `minor` (a bigint) as decimal digits in quotes,
 * `payouts` as pairs of pool and digits. Only `optional-text` may be absent, only `nullable-text` null.
 */
type FieldKind = 'text' | 'optional-text' | 'nullable-text' | 'number' | 'boolean' | 'minor' | 'payouts';

type FactOf<T extends LedgerEventType> = Extract<LedgerFact, { type: T }>;
type Shape<T extends LedgerEventType> = {
  readonly [K in Exclude<keyof FactOf<T>, 'type' | 'entries' | 'cause'>]-?: FieldKind;
};

const SPLIT = {
  senderId: 'text',
  recipientId: 'text',
  amount: 'minor',
  recipientShare: 'minor',
  influenceShare: 'minor',
} as const;
const CARD = { ...SPLIT, subjectId: 'text' } as const;
const APP = { clientId: 'text', ownerId: 'text', userId: 'text', amount: 'minor' } as const;
const CHAT = { chatId: 'text', initiatorId: 'text', hostId: 'text' } as const;

const SHAPES: { readonly [T in LedgerEventType]: Shape<T> } = {
  NovaPurchased: {
    userId: 'text',
    amount: 'minor',
    paymentIntentId: 'text',
    chargedCents: 'number',
    livemode: 'boolean',
  },
  PurchaseReversed: {
    userId: 'text',
    amount: 'minor',
    shortfall: 'minor',
    paymentIntentId: 'text',
    reversalId: 'text',
    reason: 'text',
  },
  SpendingFrozen: { userId: 'text', disputeId: 'text' },
  SpendingUnfrozen: { userId: 'text', disputeId: 'nullable-text' },
  GiftSent: { ...SPLIT, clientId: 'optional-text' },
  CardUnlocked: CARD,
  CardUpvoted: CARD,
  CardNavigated: CARD,
  WallCommentPaid: CARD,
  FeedScrolled: CARD,
  ChatPaymentHeld: { ...CHAT, amount: 'minor' },
  ChatPaymentRefunded: { ...CHAT, amount: 'minor', reason: 'text' },
  ChatPaymentSettled: {
    ...CHAT,
    outcome: 'text',
    paid: 'minor',
    refunded: 'minor',
    hostShare: 'minor',
    karmaShare: 'minor',
    threadShare: 'minor',
    treasuryShare: 'minor',
  },
  ChatRewardReleased: { chatId: 'text', userId: 'text', side: 'text', amount: 'minor', influence: 'minor' },
  KarmaMinted: { userId: 'text', completedChats: 'number' },
  ThreadShareGranted: { hostId: 'text', userId: 'text', chatId: 'text' },
  PoolRewardsPaid: { userId: 'text', payouts: 'payouts' },
  QuestRewardClaimed: { userId: 'text', questId: 'text', amount: 'minor' },
  NovaGranted: { userId: 'text', adminId: 'text', amount: 'minor' },
  NovaDeducted: { userId: 'text', adminId: 'text', amount: 'minor' },
  TokensBurned: { userId: 'text', earnedNova: 'minor', karma: 'minor', influence: 'minor', seyvn: 'minor' },
  AppWalletFunded: APP,
  AppWalletWithdrawn: APP,
  AppTokensSpent: APP,
  AppTokensEarned: APP,
  AccountClosing: { userId: 'text' },
  AccountClosed: { userId: 'text' },
  PeriodClosed: { endsAt: 'number' },
};

/** A journal that cannot be read as what this version knows: the process must not go on. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  /** What an error calls it. */
  readonly where: string;
}

const FIELDS = new Map<string, readonly Field[]>(
  Object.entries(SHAPES).map(([type, shape]) => [
    type,
    Object.entries<FieldKind>(shape).map(([name, kind]) => ({ name, kind, where: `${type}.${name}` })),
  ]),
);

export const isLedgerEventType = (type: string): type is LedgerEventType => FIELDS.has(type);

const PLAIN = /^[\w:.@/ -]*$/;
/** Most texts are ids: they need no escaping, and skipping it doubles the speed of writing an event. */
const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

function writeField(kind: FieldKind, value: unknown): string {
  if (value === null) return 'null';
  switch (kind) {
    case 'minor':
      return `"${value as bigint}"`;
    case 'number':
    case 'boolean':
      return `${value as number | boolean}`;
    case 'text':
    case 'optional-text':
    case 'nullable-text':
      return quote(value as string);
    case 'payouts':
      return `[${(value as [string, bigint][]).map(([pool, amount]) => `[${quote(pool)},"${amount}"]`).join(',')}]`;
  }
}

/**
 * The bytes of an event's data, as they are stored and hashed: the stamp, the entries, then the fields in the order of
 * their shape. The same event always gives the same text.
 */
export function encodeLedgerEvent(event: LedgerEvent): string {
  let text = `{"at":${event.at},"actor":${quote(event.actor)}`;
  if (event.cause !== undefined) text += `,"cause":${quote(event.cause)}`;
  if (event.key) text += `,"key":["${event.key.hash}","${event.key.fingerprint}"]`;
  if (event.nonce !== undefined) text += `,"nonce":${quote(event.nonce)}`;
  if (event.part) text += `,"part":[${event.part[0]},${event.part[1]}]`;
  text += ',"entries":[';
  let first = true;
  for (const [account, currency, delta] of event.entries) {
    text += `${first ? '' : ','}["${account}","${currency}","${delta}"]`;
    first = false;
  }
  text += ']';
  const values = event as unknown as Record<string, unknown>;
  for (const { name, kind } of FIELDS.get(event.type) ?? []) {
    const value = values[name];
    if (value !== undefined) text += `,"${name}":${writeField(kind, value)}`;
  }
  return `${text}}`;
}

/** Digits as `encodeLedgerEvent` writes them: BigInt alone would also read blanks, signs and other bases. */
const DIGITS = /^(?:0|-?[1-9]\d*)$/;

/** Up to so many characters a number holds what they say exactly, and reads them in half the time that BigInt takes. */
const SHORT = 15;

function readMinor(value: unknown, where: string): bigint {
  if (typeof value !== 'string' || !DIGITS.test(value)) throw new UnreadableEvent(`${where} is no amount`);
  return BigInt(value.length <= SHORT ? Number(value) : value);
}

function readText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new UnreadableEvent(`${where} is no text`);
  return value;
}

function readNumber(value: unknown, where: string): number {
  if (typeof value !== 'number') throw new UnreadableEvent(`${where} is no number`);
  return value;
}

/** A list, of so many items where that is said. */
function readList(value: unknown, where: string, length?: number): unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) {
    throw new UnreadableEvent(`${where} is no list of its length`);
  }
  return value;
}

function readEntry(value: unknown): Entry {
  const [account, currency, delta] = readList(value, 'an entry', 3);
  if (!CURRENCIES.includes(currency as Currency)) throw new UnreadableEvent('an entry has no currency');
  return [readText(account, 'an account') as AccountName, currency as Currency, readMinor(delta, 'an entry')];
}

function readPayout(value: unknown, where: string): [PoolName, bigint] {
  const [pool, amount] = readList(value, where, 2);
  return [readText(pool, where) as PoolName, readMinor(amount, where)];
}

function readField(kind: FieldKind, value: unknown, where: string): unknown {
  switch (kind) {
    case 'minor':
      return readMinor(value, where);
    case 'text':
    case 'optional-text':
      return readText(value, where);
    case 'nullable-text':
      return value === null ? null : readText(value, where);
    case 'payouts':
      return readList(value, where).map((payout) => readPayout(payout, where));
    case 'number':
      return readNumber(value, where);
    case 'boolean':
      if (typeof value === 'boolean') return value;
      throw new UnreadableEvent(`${where} is neither true nor false`);
  }
}

function parseObject(type: string, data: string): Record<string, unknown> {
  let raw: unknown;
  try {
    raw = JSON.parse(data);
  } catch (cause) {
    throw new UnreadableEvent(`${type} is not JSON`, { cause });
  }
  if (typeof raw !== 'object' || raw === null) throw new UnreadableEvent(`${type} is no object`);
  return raw as Record<string, unknown>;
}

/** Reads time, actor, and what of cause, key, nonce and part is there. */
function readStamp(raw: Record<string, unknown>, event: Record<string, unknown>): void {
  event['at'] = readNumber(raw['at'], 'at');
  event['actor'] = readText(raw['actor'], 'actor');
  if (raw['cause'] !== undefined) event['cause'] = readText(raw['cause'], 'cause');
  if (raw['key'] !== undefined) {
    const [hash, fingerprint] = readList(raw['key'], 'key', 2);
    event['key'] = { hash: readText(hash, 'key'), fingerprint: readText(fingerprint, 'key') };
  }
  if (raw['nonce'] !== undefined) event['nonce'] = readText(raw['nonce'], 'nonce');
  if (raw['part'] !== undefined) {
    const [index, count] = readList(raw['part'], 'part', 2);
    event['part'] = [readNumber(index, 'part'), readNumber(count, 'part')];
  }
}

/**
 * Reads an event from its type and its stored (and upcast) data.
 * @throws UnreadableEvent for a type or a shape that this version does not know
 */
export function decodeLedgerEvent(type: string, data: string): LedgerEvent {
  const fields = FIELDS.get(type);
  if (!fields) throw new UnreadableEvent(`no such ledger event: ${type}`);
  const raw = parseObject(type, data);
  const event: Record<string, unknown> = { type };
  readStamp(raw, event);
  event['entries'] = readList(raw['entries'], 'entries').map(readEntry);
  for (const { name, kind, where } of fields) {
    const value = raw[name];
    if (value === undefined && kind === 'optional-text') continue;
    event[name] = readField(kind, value, where);
  }
  return event as unknown as LedgerEvent;
}
