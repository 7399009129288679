import type { AccountName, PoolName } from './accounts.js';
import { readCanonical } from './canonical-reader.js';
import { CURRENCIES, type Currency } from './currencies.js';
import type { Entry, LedgerEvent } from './events.js';
import type { FieldKind } from './movements/movement.js';
import { FIELDS } from './movements/registry.js';

/** A journal that this version cannot read: the process must not continue. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';
}

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
  for (const { name, kind, lead } of FIELDS.get(event.type) ?? []) {
    const value = values[name];
    if (value !== undefined) text += lead + writeField(kind, value);
  }
  return `${text}}`;
}

/** Digits as `encodeLedgerEvent` writes them. BigInt alone would also accept blanks, signs and other bases. */
const DIGITS = /^(?:0|-?[1-9]\d*)$/;

function readMinor(value: unknown, where: string): bigint {
  if (typeof value !== 'string' || !DIGITS.test(value)) throw new UnreadableEvent(`${where} is no amount`);
  return BigInt(value);
}

function readText(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new UnreadableEvent(`${where} is no text`);
  return value;
}

function readNumber(value: unknown, where: string): number {
  if (typeof value !== 'number') throw new UnreadableEvent(`${where} is no number`);
  return value;
}

/** A list, with a fixed length if given. */
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
 * Reads an event from its type and its stored (and upcast) data. Its texts may be slices of `data`: callers who keep
 * one for long must copy it (`ownText`).
 * @throws UnreadableEvent for a type or a shape that this version does not know
 */
export const decodeLedgerEvent = (type: string, data: string): LedgerEvent =>
  readCanonical(type, data) ?? readJson(type, data);

/** Reads JSON in another form than this version writes. */
function readJson(type: string, data: string): LedgerEvent {
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
  // A newer release's additions may change the meaning of the rest.
  for (const name of Object.keys(raw)) {
    if (!Object.hasOwn(event, name) || name === 'type') throw new UnreadableEvent(`${type} has no field ${name}`);
  }
  return event as unknown as LedgerEvent;
}
