import * as fc from 'fast-check';
import { readCanonical } from './canonical-reader.js';
import { decodeLedgerEvent, encodeLedgerEvent } from './codec.js';
import type { LedgerEvent } from './events.js';
import { anyEvent, LEDGER_EVENT_TYPES } from './testing/any-event.js';

/** White space, which JSON allows and we never write, keeps the quick reader from reading. */
const bySlowReader = (type: string, data: string): LedgerEvent => decodeLedgerEvent(type, ` ${data}`);

/** What came of reading: the event, or the kind of error. */
function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return (error as Error).name;
  }
}

const ids = fc.oneof(fc.uuid(), fc.constantFrom('ann', 'Zoë', '', '雪'));
const digits = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });

describe.each(LEDGER_EVENT_TYPES)('%s', (type) => {
  test('without escapes and huge amounts it is read quickly, and as the other reader reads it', () => {
    fc.assert(
      fc.property(anyEvent(type, { text: ids, minor: digits }), (event) => {
        const data = encodeLedgerEvent(event);
        expect(readCanonical(type, data)).toEqual(event);
        expect(bySlowReader(type, data)).toEqual(event);
      }),
      { numRuns: 40 },
    );
  });

  test('whatever becomes of its text, both readers agree on it', () => {
    const place = fc.nat(1_000);
    const piece = fc.constantFrom(
      '',
      '"',
      ',',
      '0',
      '-',
      '5',
      '[',
      ']',
      '{',
      '}',
      ':',
      'null',
      'true',
      ' ',
      '\\',
      'NOVA',
      '1e3',
    );
    fc.assert(
      fc.property(anyEvent(type, { text: ids, minor: digits }), place, fc.nat(4), piece, (event, from, cut, into) => {
        const data = encodeLedgerEvent(event);
        const at = from % data.length;
        const changed = data.slice(0, at) + into + data.slice(at + cut);
        expect(outcome(() => decodeLedgerEvent(type, changed))).toEqual(outcome(() => bySlowReader(type, changed)));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the quick reader leaves to the other', () => {
  const event: LedgerEvent = { type: 'AccountClosing', at: 1, actor: 'member:a', entries: [], userId: 'a' };
  const data = encodeLedgerEvent(event);

  test.each([
    ['an escape', data.replace('member:a', String.raw`member:\u0061`)],
    ['white space', data.replace(',', ', ')],
    ['another order', '{"actor":"member:a","at":1,"entries":[],"userId":"a"}'],
    ['what comes after the end', `${data} `],
    ['a field that it does not know', data.replace('}', ',"more":1}')],
    ['a text that does not end', data.slice(0, -2)],
    ['a time before 1970', data.replace('1', '-1')],
    ['a fraction', data.replace('1', '1.5')],
  ])('%s', (_, changed) => {
    expect(readCanonical(event.type, changed)).toBeUndefined();
  });

  test('a type that it does not know', () => {
    expect(readCanonical('Unheard', data)).toBeUndefined();
  });

  test('amounts of more than fifteen digits', () => {
    const grant: LedgerEvent = {
      type: 'NovaGranted',
      at: 1,
      actor: 'admin:a',
      entries: [],
      userId: 'a',
      adminId: 'a',
      amount: 10n ** 15n,
    };
    expect(readCanonical(grant.type, encodeLedgerEvent(grant))).toBeUndefined();
    expect(readCanonical(grant.type, encodeLedgerEvent({ ...grant, amount: 10n ** 15n - 1n }))).toMatchObject({
      amount: 10n ** 15n - 1n,
    });
    expect(decodeLedgerEvent(grant.type, encodeLedgerEvent(grant))).toEqual(grant);
  });
});
