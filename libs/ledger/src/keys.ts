import { hash } from 'node:crypto';
import type { KeyUnderTest, LedgerCommand } from '@app/domain';
import type { CommandRequest } from './writer-port.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The time in a UUIDv7, in milliseconds since 1970; undefined for any other text. */
const uuidV7Time = (text: string): number | undefined =>
  UUID_V7.test(text) ? parseInt(text.slice(0, 8) + text.slice(9, 13), 16) : undefined;

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the server adds, and that may differ when the request is repeated. */
const CIRCUMSTANCE = 'dailyLimit';

/** The command's fields as text, in the order in which its maker names them. */
function textOf(fields: Fields): string {
  let text = '';
  for (const name in fields) {
    if (name === CIRCUMSTANCE) continue;
    const field = fields[name];
    text += `${name}=${typeof field === 'object' && field !== null ? `{${textOf(field as Fields)}}` : String(field)}\n`;
  }
  return text;
}

/** 64 bits that tell one command from another under the same key. */
const fingerprintOf = (command: LedgerCommand): string =>
  hash('sha256', textOf(command as unknown as Fields), 'hex').slice(0, 16);

const hashOfKey = (scope: string, value: string): string => hash('sha256', `${scope}\n${value}`, 'hex').slice(0, 32);

/** Under which hash the index keeps a key from a fact (`stripe:{paymentIntent}`). */
export const factKeyHash = (value: string): string => hashOfKey('fact', value);

/** What state and index keep of a key: 128 bits over scope and value, and the command's fingerprint. */
export function keyUnderTest({ key, command }: CommandRequest): KeyUnderTest | undefined {
  if (!key) return undefined;
  return {
    hash: hashOfKey(key.scope, key.value),
    fingerprint: fingerprintOf(command),
    madeAt: key.scope === 'fact' ? undefined : uuidV7Time(key.value),
  };
}
