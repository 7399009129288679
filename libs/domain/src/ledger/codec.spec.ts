import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { UnreadableEvent, decodeLedgerEvent, encodeLedgerEvent } from './codec.js';
import type { LedgerEvent, LedgerEventType } from './events.js';
import { anyEvent, fieldNames, hostileText, LEDGER_EVENT_TYPES, NULLABLE, OPTIONAL } from './testing/any-event.js';

describe.each(LEDGER_EVENT_TYPES)('%s', (type) => {
  test('whatever it holds is read as it was written, and written again in the same bytes', () => {
    fc.assert(
      fc.property(anyEvent(type), (event) => {
        const data = encodeLedgerEvent(event);
        const read = decodeLedgerEvent(type, data);
        expect(read).toEqual(event);
        expect(encodeLedgerEvent(read)).toBe(data);
        // So an event store may keep it as JSON, parsed and printed by whoever reads it.
        expect(JSON.stringify(JSON.parse(data))).toBe(data);
      }),
      { numRuns: 40 },
    );
  });

  test('without any one of its fields, with one more, or with one that is null or of another kind, it is unreadable', () => {
    const [event] = fc.sample(anyEvent(type), { numRuns: 1, seed: 7 });
    const whole = JSON.parse(encodeLedgerEvent(event!)) as Record<string, unknown>;
    const required = fieldNames(type).filter((name) => name !== OPTIONAL[type]);
    for (const name of ['at', 'actor', 'entries', ...required]) {
      const { [name]: _, ...rest } = whole;
      expect(() => decodeLedgerEvent(type, JSON.stringify(rest))).toThrow(UnreadableEvent);
    }
    for (const foreign of ['v', 'more', 'type', 'toString']) {
      expect(() => decodeLedgerEvent(type, JSON.stringify({ ...whole, [foreign]: 2 }))).toThrow(
        `${type} has no field ${foreign}`,
      );
    }
    for (const name of ['at', 'actor', 'cause', 'key', 'nonce', 'part', 'entries', ...fieldNames(type)]) {
      expect(() => decodeLedgerEvent(type, JSON.stringify({ ...whole, [name]: { odd: [1] } }))).toThrow(
        UnreadableEvent,
      );
      if (name === NULLABLE[type]) continue;
      expect(() => decodeLedgerEvent(type, JSON.stringify({ ...whole, [name]: null }))).toThrow(UnreadableEvent);
    }
  });
});

test('text of all kinds is written as JSON', () => {
  fc.assert(
    fc.property(hostileText, (userId) => {
      const data = encodeLedgerEvent({
        type: 'AccountClosing',
        at: 1,
        actor: userId,
        cause: userId,
        entries: [],
        userId,
      });
      expect(JSON.parse(data)).toEqual({ at: 1, actor: userId, cause: userId, entries: [], userId });
    }),
    { numRuns: 500 },
  );
});

describe('data that no version wrote', () => {
  const grant = (field: string, value: unknown) =>
    JSON.stringify({
      at: 1,
      actor: 'admin:a',
      entries: [['user:ann:earned', 'NOVA', '1']],
      userId: 'ann',
      adminId: 'a',
      amount: '1',
      [field]: value,
    });

  test('the example itself is readable', () => {
    expect(decodeLedgerEvent('NovaGranted', grant('amount', '5'))).toMatchObject({ amount: 5n });
  });

  it.each(['999999999999999', '9007199254740993', '-99999999999999', '-9007199254740993', '123456789012345678901'])(
    'reads every digit of %s',
    (amount) => {
      expect(decodeLedgerEvent('NovaGranted', grant('amount', amount))).toMatchObject({ amount: BigInt(amount) });
    },
  );

  test.each(['', ' ', 'null', '[]', '"text"', '5', '{', '{"at":1', 'NaN', '{}'])('%s', (data) => {
    expect(() => decodeLedgerEvent('AccountClosed', data)).toThrow(UnreadableEvent);
  });

  test.each(['', ' 5', '5 ', '+5', '-0', '05', '0x10', '1e3', '5n', '5.0', 'five', 5, null, true, ['5']])(
    'an amount of %p',
    (amount) => {
      expect(() => decodeLedgerEvent('NovaGranted', grant('amount', amount))).toThrow(UnreadableEvent);
    },
  );

  test.each([
    [[['user:ann:earned', 'NOVA']]],
    [[['user:ann:earned', 'NOVA', '1', '2']]],
    [[['user:ann:earned', 'EUR', '1']]],
    [[['user:ann:earned', 'NOVA', 1]]],
    [[['user:ann:earned', 'NOVA', 'x']]],
    [[[1, 'NOVA', '1']]],
    [['user:ann:earned']],
    [[null]],
    [{}],
  ])('entries %j', (entries) => {
    expect(() => decodeLedgerEvent('NovaGranted', grant('entries', entries))).toThrow(UnreadableEvent);
  });

  test.each([[['a']], [['a', 1]], ['ab'], [null], [{}]])('a key %j', (key) => {
    expect(() => decodeLedgerEvent('NovaGranted', grant('key', key))).toThrow(UnreadableEvent);
  });

  test.each([[[0]], [['0', '1']], [[0, 1, 2]], [null]])('a part %j', (part) => {
    expect(() => decodeLedgerEvent('NovaGranted', grant('part', part))).toThrow(UnreadableEvent);
  });

  test.each(['', 'Gift', 'giftSent', 'toString', '__proto__', 'constructor'])('a type "%s"', (type) => {
    expect(() => decodeLedgerEvent(type, grant('amount', '5'))).toThrow(UnreadableEvent);
  });

  /** The process stops with this sentence: it is all that somebody has to find the place by. */
  test.each<[type: LedgerEventType, data: string, message: string]>([
    ['NovaGranted', '{', 'NovaGranted is not JSON'],
    ['NovaGranted', '7', 'NovaGranted is no object'],
    ['NovaGranted', 'null', 'NovaGranted is no object'],
    ['NovaGranted', grant('at', '1'), 'at is no number'],
    ['NovaGranted', grant('actor', 1), 'actor is no text'],
    ['NovaGranted', grant('cause', 1), 'cause is no text'],
    ['NovaGranted', grant('nonce', 1), 'nonce is no text'],
    ['NovaGranted', grant('key', ['a']), 'key is no list of its length'],
    ['NovaGranted', grant('key', [1, 'a']), 'key is no text'],
    ['NovaGranted', grant('key', ['a', 1]), 'key is no text'],
    ['NovaGranted', grant('part', [0]), 'part is no list of its length'],
    ['NovaGranted', grant('part', ['0', 1]), 'part is no number'],
    ['NovaGranted', grant('part', [0, '1']), 'part is no number'],
    ['NovaGranted', grant('entries', 1), 'entries is no list of its length'],
    ['NovaGranted', grant('entries', [['treasury', 'NOVA']]), 'an entry is no list of its length'],
    ['NovaGranted', grant('entries', [['treasury', 'EUR', '1']]), 'an entry has no currency'],
    ['NovaGranted', grant('entries', [[1, 'NOVA', '1']]), 'an account is no text'],
    ['NovaGranted', grant('entries', [['treasury', 'NOVA', 1]]), 'an entry is no amount'],
    ['NovaGranted', grant('userId', 1), 'NovaGranted.userId is no text'],
    ['NovaGranted', grant('amount', 1), 'NovaGranted.amount is no amount'],
    ['PeriodClosed', grant('endsAt', '1'), 'PeriodClosed.endsAt is no number'],
    ['PoolRewardsPaid', grant('payouts', 'all'), 'PoolRewardsPaid.payouts is no list of its length'],
    ['PoolRewardsPaid', grant('payouts', [['pool:karma']]), 'PoolRewardsPaid.payouts is no list of its length'],
    ['PoolRewardsPaid', grant('payouts', [[1, '1']]), 'PoolRewardsPaid.payouts is no text'],
    ['PoolRewardsPaid', grant('payouts', [['pool:karma', 1]]), 'PoolRewardsPaid.payouts is no amount'],
  ])('%s %s: %s', (type, data, message) => {
    const read = () => decodeLedgerEvent(type, data);
    expect(read).toThrow(UnreadableEvent);
    expect(read).toThrow(message);
  });

  test('a truth that is no boolean is named, and so is a type that nobody knows', () => {
    const bought = { paymentIntentId: 'pi_1', chargedCents: 1, livemode: 'yes' };
    const data = JSON.stringify({ ...(JSON.parse(grant('amount', '5')) as object), ...bought });
    expect(() => decodeLedgerEvent('NovaPurchased', data)).toThrow('NovaPurchased.livemode is neither true nor false');
    expect(() => decodeLedgerEvent('Gift', data)).toThrow('no such ledger event: Gift');
    expect(() => decodeLedgerEvent('Gift', data)).toThrow(expect.objectContaining({ name: 'UnreadableEvent' }));
    expect(() => decodeLedgerEvent('NovaGranted', '{')).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ name: 'SyntaxError' }) }),
    );
  });

  test('any text is read or unreadable', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LEDGER_EVENT_TYPES), fc.oneof(fc.string(), fc.json()), (type, data) => {
        expect(() => decodeLedgerEvent(type, data)).toThrow(UnreadableEvent);
      }),
    );
  });
});

/** What is stored stays as it is for ever: a change of this file is a change of the journal's format and needs an upcaster. */
describe('the stored bytes of every event', () => {
  const file = path.join(__dirname, 'testing', 'stored-events.golden');
  const golden = new Map(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line): [string, string] => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );

  test('there is an example of each type', () => {
    expect([...golden.keys()].toSorted()).toEqual(LEDGER_EVENT_TYPES.toSorted());
  });

  test.each([...golden])('%s', (type, data) => {
    expect(encodeLedgerEvent(decodeLedgerEvent(type, data))).toBe(data);
  });

  test('the fields come in this order', () => {
    const event: LedgerEvent = {
      amount: 150_000n,
      clientId: 'app-1',
      entries: [
        ['user:ann:purchased', 'NOVA', -150_000n],
        ['user:ben:earned', 'NOVA', 75_000n],
        ['pool:influence', 'NOVA', 75_000n],
      ],
      influenceShare: 75_000n,
      recipientId: 'ben',
      recipientShare: 75_000n,
      senderId: 'ann',
      part: [1, 2],
      key: { hash: '00112233445566778899aabbccddeeff', fingerprint: '0123456789abcdef' },
      cause: 'request "7"',
      actor: 'app:app-1',
      at: 1_768_478_400_000,
      type: 'GiftSent',
    };
    expect(encodeLedgerEvent(event)).toBe(golden.get('GiftSent'));
  });
});
