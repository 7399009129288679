import * as fc from 'fast-check';
import { CURRENCIES } from '../currencies.js';
import type { Entry, LedgerEvent, LedgerEventType } from '../events.js';
import type { FieldKind } from '../movements/movement.js';
import { FIELDS } from '../movements/registry.js';

export { LEDGER_EVENT_TYPES } from '../movements/registry.js';

/** Generators for the texts and amounts of an event. */
export interface Parts {
  readonly text: fc.Arbitrary<string>;
  readonly minor: fc.Arbitrary<bigint>;
}

/** Texts and amounts that are hard to write and to read. */
export const hostileText = fc.oneof(
  fc.uuid(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"', '\\', '\n', '\u2028', '\ud800', '","amount":"9', '</script>', '😀'),
);
const hostileMinor = fc.oneof(fc.bigInt(), fc.constantFrom(0n, -1n, 2n ** 100n));
const account = fc.constantFrom('user:ann:earned', 'treasury', 'pool:thread:ann', 'external:stripe', 'app:a:purchased');
const entryOf = ({ minor }: Parts) =>
  fc.tuple(account, fc.constantFrom(...CURRENCIES), minor) as unknown as fc.Arbitrary<Entry>;

/** Generators for a field of each kind. */
const kindsOf = ({ text, minor }: Parts): Record<FieldKind, fc.Arbitrary<unknown>> => ({
  text,
  'optional-text': text,
  'nullable-text': fc.option(text),
  number: fc.nat(1_000_000),
  boolean: fc.boolean(),
  minor,
  payouts: fc.array(fc.tuple(fc.constantFrom('pool:karma' as const, 'pool:thread:ann' as const), minor)),
});

const HOSTILE: Parts = { text: hostileText, minor: hostileMinor };
/** The names of a type's fields beyond stamp and entries, in no order that may be relied on. */
export const fieldNames = (type: LedgerEventType): string[] => (FIELDS.get(type) ?? []).map(({ name }) => name);

/** By type, the field of a kind; no type has two. */
const fieldsOfKind = (wanted: FieldKind): Partial<Record<LedgerEventType, string>> =>
  Object.fromEntries(
    [...FIELDS].flatMap(([type, fields]) =>
      fields.filter(({ kind }) => kind === wanted).map(({ name }) => [type, name]),
    ),
  );
export const OPTIONAL = fieldsOfKind('optional-text');
export const NULLABLE = fieldsOfKind('nullable-text');

const hex = (digits: number): fc.Arbitrary<string> => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));

const stampOf = ({ text }: Parts) => ({
  at: fc.nat(2 ** 31),
  actor: text,
  cause: text,
  key: fc.record({ hash: hex(32), fingerprint: hex(16) }),
  nonce: text,
  part: fc.tuple(fc.nat(9), fc.nat(9)),
});

/** Any event of a type, whether or not it could happen. */
export const anyEvent = (type: LedgerEventType, parts = HOSTILE): fc.Arbitrary<LedgerEvent> => {
  const kinds = kindsOf(parts);
  const fields = Object.fromEntries((FIELDS.get(type) ?? []).map(({ name, kind }) => [name, kinds[kind]]));
  const required = fieldNames(type).filter((name) => name !== OPTIONAL[type]);
  const entries = fc.array(entryOf(parts), { maxLength: 5 });
  return fc.record({ type: fc.constant(type), entries, ...stampOf(parts), ...fields }, {
    requiredKeys: ['type', 'entries', 'at', 'actor', ...required],
    noNullPrototype: true,
  } as never) as unknown as fc.Arbitrary<LedgerEvent>;
};
