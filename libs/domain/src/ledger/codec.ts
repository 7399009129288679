import type { AccountName, PoolName } from './accounts.js';
import type { Currency } from './currencies.js';
import type { Entry, LedgerEvent, LedgerEventType, LedgerFact } from './events.js';

/**
 * How a field is written: `text`, `number` and `boolean` as JSON has them, `minor` (a bigint) as decimal digits in quotes,
 * `payouts` as pairs of pool and digits. A key absent or null stays so.
 */
type FieldKind = 'text' | 'number' | 'boolean' | 'minor' | 'payouts';

type FactOf<T extends LedgerEventType> = Extract<LedgerFact, { type: T }>;
type Shape<T extends LedgerEventType> = {
  readonly [K in Exclude<keyof FactOf<T>, 'type' | 'entries'>]-?: FieldKind;
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
  SpendingUnfrozen: { userId: 'text', disputeId: 'text' },
  GiftSent: { ...SPLIT, clientId: 'text' },
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
};

/** A journal that cannot be read as what this version knows: the process must not go on. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

const FIELDS = new Map<string, readonly (readonly [name: string, kind: FieldKind])[]>(
  Object.entries(SHAPES).map(([type, shape]) => [type, Object.entries(shape)]),
);

export const isLedgerEventType = (type: string): type is LedgerEventType => FIELDS.has(type);

const PLAIN = /^[\w:.@/ -]*$/;
/** Most texts are ids: they need no escaping, and skipping it doubles the speed of writing an event. */
const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

function writeField(kind: FieldKind, value: unknown): string {
  if (value === null) return 'null';
  switch (kind) {
    case 'minor':
      return `"${String(value)}"`;
    case 'number':
    case 'boolean':
      return String(value);
    case 'text':
      return quote(String(value));
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
  if (event.part) text += `,"part":[${event.part[0]},${event.part[1]}]`;
  text += ',"entries":[';
  let first = true;
  for (const [account, currency, delta] of event.entries) {
    text += `${first ? '' : ','}["${account}","${currency}","${delta}"]`;
    first = false;
  }
  text += ']';
  const values = event as unknown as Record<string, unknown>;
  for (const [name, kind] of FIELDS.get(event.type) ?? []) {
    const value = values[name];
    if (value !== undefined) text += `,"${name}":${writeField(kind, value)}`;
  }
  return `${text}}`;
}

function readField(kind: FieldKind, value: unknown, where: string): unknown {
  if (value === null) return null;
  switch (kind) {
    case 'minor':
      if (typeof value !== 'string') break;
      return BigInt(value);
    case 'payouts':
      if (!Array.isArray(value)) break;
      return (value as [PoolName, string][]).map(([pool, amount]) => [pool, BigInt(amount)] as const);
    case 'text':
      if (typeof value !== 'string') break;
      return value;
    case 'number':
      if (typeof value !== 'number') break;
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') break;
      return value;
  }
  throw new UnreadableEvent(`${where} is not ${kind}`);
}

/**
 * Reads an event from its type and its stored (and upcast) data.
 * @throws UnreadableEvent for a type or a shape that this version does not know
 */
export function decodeLedgerEvent(type: string, data: string): LedgerEvent {
  const fields = FIELDS.get(type);
  if (!fields) throw new UnreadableEvent(`no such ledger event: ${type}`);
  const raw = JSON.parse(data) as Record<string, unknown>;
  const event: Record<string, unknown> = { type, at: raw['at'], actor: raw['actor'] };
  if (typeof raw['at'] !== 'number' || typeof raw['actor'] !== 'string' || !Array.isArray(raw['entries'])) {
    throw new UnreadableEvent(`${type} without time, actor or entries`);
  }
  if (raw['cause'] !== undefined) event['cause'] = raw['cause'];
  if (Array.isArray(raw['key'])) event['key'] = { hash: raw['key'][0], fingerprint: raw['key'][1] };
  if (raw['part'] !== undefined) event['part'] = raw['part'];
  event['entries'] = (raw['entries'] as [AccountName, Currency, string][]).map(([account, currency, delta]): Entry => [
    account,
    currency,
    BigInt(delta),
  ]);
  for (const [name, kind] of fields) {
    const value = raw[name];
    if (value !== undefined) event[name] = readField(kind, value, `${type}.${name}`);
  }
  return event as unknown as LedgerEvent;
}
