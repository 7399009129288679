import * as fc from 'fast-check';
import type { Schema } from './openapi.js';

/** What exists in the installation that is fuzzed: values that lead a request past the first checks. */
export interface Known {
  /** Ids by the word that an address or a field's name has for them. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Values of fields by their names. */
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

const HUGE = 'x'.repeat(20_000);

const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'a\udfffb',
  '\u202eright to left\u202c',
  '𝒳'.repeat(60),
  'é\u0301'.repeat(120),
  'x'.repeat(300),
  HUGE,
  "' or 1=1; drop table accounts; --",
  '%',
  '%00',
  '_%\\',
  '../../../../etc/passwd',
  '..%2f..%2f',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '-0',
  '0x10',
  '1_000',
  '٣٤',
  '99999999999999999999999999',
  '0.000000000000001',
  'true',
  '[object Object]',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '2026-02-30T25:61:61Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
  '9999-12-31T23:59:59.999Z',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'http://[::1',
  '/objects/uploads/../../etc/passwd',
  '/objects/uploads/00000000-0000-7000-8000-000000000000',
  `${'a'.repeat(70)}@${'b'.repeat(260)}.example`,
  'a@b',
  '{"$gt":""}',
  '${7*7}{{7*7}}',
  '\r\nSet-Cookie: a=b',
];

const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  0.001,
  1.005,
  1e-7,
  1e21,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  2 ** 31,
  2 ** 63,
  -(2 ** 63),
];

const HOSTILE_STRUCTURES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  [[]],
  [null],
  ['a', 'b'],
  {},
  { $ne: null },
  { length: -1 },
  { toString: 'a', valueOf: 1, toJSON: {} },
  { constructor: { prototype: { isAdmin: true } } },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  Array.from({ length: 2_000 }, () => 0),
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
);

/** Whatever no caller should send. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_STRUCTURES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** An id of the kind that a name or an address speaks of, sometimes of another kind, seldom of nothing. */
export function knownId({ ids }: Known, hint: string): fc.Arbitrary<string> {
  const fitting = Object.entries(ids).flatMap(([word, some]) => (hint.includes(word) ? some : []));
  const any = Object.values(ids).flat();
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...(fitting.length > 0 ? fitting : any)) },
    { weight: 1, arbitrary: fc.constantFrom(...any) },
    { weight: 1, arbitrary: fc.uuid() },
  );
}

/** A value that a schema allows. What exists comes first: `name` is the field's, `hint` says what its ids mean. */
export function valueOf(schema: Schema, known: Known, name: string, hint: string): fc.Arbitrary<unknown> {
  const given = known.fields[name];
  if (given) return fc.constantFrom(...given);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((one) => valueOf(one, known, name, hint)));
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return wholeOf(schema);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, known, name, hint), { maxLength: Math.min(schema.maxItems ?? 3, 3) });
    case 'object':
      return objectOf(schema, known, hint);
    default:
      return textOf(schema, known, name, hint);
  }
}

const WHOLE_MAX = 100_000;

function wholeOf({ minimum = 1, maximum = minimum + 100 }: Schema): fc.Arbitrary<number> {
  const min = Math.ceil(minimum);
  return fc.integer({ min, max: Math.max(min, Math.floor(Math.min(maximum, min + WHOLE_MAX))) });
}

function objectOf(schema: Schema, known: Known, hint: string): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries(schema.properties ?? {});
  return fc.record(
    Object.fromEntries(properties.map(([name, one]) => [name, valueOf(one, known, name, `${hint} ${name}`)])),
    { requiredKeys: [...(schema.required ?? [])].filter((name) => schema.properties?.[name] !== undefined) },
  );
}

function textOf(schema: Schema, known: Known, name: string, hint: string): fc.Arbitrary<string> {
  if (/id$/i.test(name) || schema.format === 'uuid') return knownId(known, `${hint} ${name}`);
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  const min = schema.minLength ?? 1;
  return fc.string({ unit: 'grapheme-ascii', minLength: min, maxLength: Math.max(min, schema.maxLength ?? 60) });
}
