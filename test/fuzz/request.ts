import * as fc from 'fast-check';
import type { Call, Parameter } from './openapi.js';
import { hostile, hostileText, knownId, type Known, valueOf } from './values.js';

/** A request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  /** Path and query, already encoded. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

/** A request to a call: right, nearly right in one place, or wrong in any way that HTTP allows. */
export function requestTo(call: Call, known: Known): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({
      method: methodOf(call),
      target: targetOf(call, known),
      headers: headersOf(call),
      body: bodyOf(call, known),
    })
    .map(({ method, target, headers, body }) => ({
      method,
      target,
      headers: { ...(body.contentType === undefined ? {} : { 'content-type': body.contentType }), ...headers },
      body: method === 'GET' || method === 'HEAD' || method === 'TRACE' ? undefined : body.content,
    }));
}

const rarely = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>, oneIn = 8): fc.Arbitrary<T> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: usual }, { weight: 1, arbitrary: odd });

const ODD_METHODS = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'POST', 'PROPFIND', 'REPORT', 'LINK'];

const methodOf = ({ method }: Call): fc.Arbitrary<string> =>
  rarely(fc.constant(method), fc.constantFrom(...ODD_METHODS), 15);

/** Lone surrogates have no encoding: they go as the bytes that a careless client would send. */
const encode = (value: unknown): string =>
  Array.from(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'))
    .map((character) => (/^[\ud800-\udfff]$/.test(character) ? '%ED%A0%80' : encodeURIComponent(character)))
    .join('');

const ODD_SEGMENTS = ['%', '%00', '%ff%fe', '%E0%A4%A', '..', '%2e%2e%2f', 'a%2fb', '%0d%0a', ';', '*', '~', '%5c'];

function targetOf(call: Call, known: Known): fc.Arbitrary<string> {
  const names = [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const segments = names.map((name) =>
    rarely(
      knownId(known, `${call.path} ${name}`),
      fc.oneof(
        hostileText.map((text) => encode(text.slice(0, 400)) || '%20'),
        fc.constantFrom(...ODD_SEGMENTS),
      ),
      4,
    ),
  );
  const path = fc
    .tuple(...segments)
    .map((values) =>
      names.reduce((all, name, index) => all.replace(`{${name}}`, () => values[index] ?? ''), call.path),
    );
  return fc.tuple(path, queryOf(call, known)).map(([before, query]) => (query === '' ? before : `${before}?${query}`));
}

const ODD_QUERIES = [
  '__proto__=1',
  '__proto__[isAdmin]=1',
  'constructor=1',
  'unknown=1',
  '=',
  '&&&',
  '%',
  '%E0%A4%A=1',
  'a=%00',
  `long=${'y'.repeat(3_000)}`,
];

function queryOf({ parameters }: Call, known: Known): fc.Arbitrary<string> {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  const parts = own.map((parameter) => queryPart(parameter, known));
  return fc
    .tuple(fc.tuple(...parts), rarely(fc.constant(''), fc.constantFrom(...ODD_QUERIES)))
    .map(([given, odd]) => [...given, odd].filter((part) => part !== '').join('&'));
}

function queryPart({ name, required, schema = {} }: Parameter, known: Known): fc.Arbitrary<string> {
  const right = valueOf(schema, known, name, name).map((value) => `${name}=${encode(value)}`);
  const wrong = fc.oneof(
    hostile.map((value) => `${name}=${encode(value).slice(0, 4_000)}`),
    right.chain((one) => right.map((other) => `${one}&${other}`)),
    right.map((one) => one.replace('=', '[]=')),
    right.map((one) => one.replace('=', '[a][b]=')),
    fc.constant(name),
  );
  const left = fc.constant('');
  return fc.oneof(
    { weight: 4, arbitrary: right },
    { weight: required ? 1 : 4, arbitrary: left },
    { weight: 2, arbitrary: wrong },
  );
}

const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'idempotency-key': 'k'.repeat(256) },
  { 'idempotency-key': ' ' },
  { 'idempotency-key': '\u00e9\u00ff' },
  { 'idempotency-key': 'a, b' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer not.a.token' },
  { authorization: `Bearer ${'x'.repeat(3_000)}` },
  { authorization: 'Basic Og==' },
  { authorization: 'Digest \u00ff' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
  { origin: '\u00ff' },
  { 'sec-fetch-site': 'cross-site' },
  { 'x-request-id': 'y'.repeat(3_000) },
  { 'x-request-id': '"\u00ff<>' },
  { 'x-forwarded-for': '::ffff:999.1.1.1, a' },
  { 'x-http-method-override': 'DELETE' },
  { 'if-none-match': '*' },
  { range: 'bytes=9-1,-0,a-' },
  { accept: '*/*;q=2, \u00ff' },
  { 'accept-encoding': 'x;q=a' },
  { 'content-encoding': 'gzip' },
  { host: 'evil.example:99999' },
  { cookie: 'nova_session=s%3A%FF; =; ;;' },
];

/** Most commands carry a key, some an odd one. */
function headersOf({ parameters }: Call): fc.Arbitrary<Readonly<Record<string, string>>> {
  const keyed = parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key');
  const usual = keyed
    ? fc.oneof(
        fc.constant({}),
        fc.uuid().map((key): Record<string, string> => ({ 'idempotency-key': key })),
      )
    : fc.constant({});
  return rarely<Readonly<Record<string, string>>>(usual, fc.constantFrom(...ODD_HEADERS), 6);
}

interface Body {
  readonly contentType: string | undefined;
  readonly content: string | Buffer | undefined;
}

const JSON_TYPE = 'application/json';

const ODD_TYPES = [
  'application/json; charset=utf-16',
  'application/json;',
  'APPLICATION/JSON',
  'application/ld+json',
  'application/json, text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=----b',
  'text/plain',
  'text/xml',
  'application/octet-stream',
  'x',
  '/',
];

const NOT_JSON: readonly (string | Buffer)[] = [
  '',
  '{',
  '[1,',
  'nul',
  '\ufeff{}',
  '{"a":1}{"b":2}',
  "{'a':1}",
  '{"amount":1,"amount":2}',
  '{"amount":1e999}',
  '{"amount":-0}',
  '{"a":"\\ud800"}',
  '{"\\u0000":1}',
  '['.repeat(20_000),
  `{"a":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}}`,
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.alloc(512, 0xff),
  '------b\r\nContent-Disposition: form-data; name="thumbnail"; filename="a.jpg"\r\n\r\n\u0000\r\n------b--\r\n',
  '------b\r\nContent-Disposition: form-data',
];

/** Beyond what the server reads: one of these a call is enough. */
const TOO_LARGE = `{"a":"${'z'.repeat(1_100_000)}"}`;

function bodyOf(call: Call, known: Known): fc.Arbitrary<Body> {
  if (!call.body) {
    const none: fc.Arbitrary<Body> = fc.constant({ contentType: undefined, content: undefined });
    return rarely(none, fc.oneof(asJson(hostile), raw));
  }
  const { schema } = call.body;
  const right = valueOf({ ...schema, type: 'object' }, known, '', call.path) as fc.Arbitrary<Record<string, unknown>>;
  return fc.oneof(
    { weight: 6, arbitrary: asJson(right) },
    { weight: 9, arbitrary: asJson(spoiled(right)) },
    { weight: 2, arbitrary: asJson(hostile) },
    { weight: 3, arbitrary: raw },
    {
      weight: 2,
      arbitrary: fc
        .tuple(asJson(right), fc.constantFrom(...ODD_TYPES))
        .map(([body, contentType]) => ({ ...body, contentType })),
    },
    {
      weight: 1,
      arbitrary: asJson(right).map(({ content }) => ({
        contentType: JSON_TYPE,
        content: String(content).slice(0, -2),
      })),
    },
  );
}

const asJson = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
  values.map((value) => ({ contentType: JSON_TYPE, content: JSON.stringify(value) }));

const raw: fc.Arbitrary<Body> = fc.record({
  contentType: rarely(fc.constant(JSON_TYPE), fc.constantFrom(...ODD_TYPES), 2),
  content: rarely<string | Buffer>(fc.constantFrom(...NOT_JSON), fc.constant(TOO_LARGE), 12),
});

/** A right body with one fault: a field that is odd, gone, wrapped or unknown. */
function spoiled(right: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<unknown> {
  return fc.tuple(right, fc.nat(), hostile, fc.nat(4)).map(([body, at, odd, fault]) => {
    const names = Object.keys(body);
    const name = names[at % Math.max(1, names.length)] ?? 'unknown';
    if (fault === 0) return Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
    if (fault === 1) return { ...body, [name]: at % 2 === 0 ? [body[name]] : { [name]: body[name] } };
    if (fault === 2) return { ...body, [HOSTILE_KEYS[at % HOSTILE_KEYS.length] ?? 'unknown']: odd };
    return { ...body, [name]: odd };
  });
}

const HOSTILE_KEYS = ['__proto__', 'constructor', 'isAdmin', 'userId', 'id', '', '\u0000', 'novaBalance', 'length'];
