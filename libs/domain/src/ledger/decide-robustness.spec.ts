import * as fc from 'fast-check';
import { isAccountId } from './accounts.js';
import type { AppSpendingContext, BulkGrant, LedgerCommand, LedgerCommandType } from './commands.js';
import { AMOUNT_MAX, GIFT_MIN, NOVA_SUPPLY_MAX } from './constants.js';
import { decide } from './decide.js';
import { anyCommand, COMMAND_TYPES, history } from './testing/arbitraries.js';
import { canonical } from './testing/canonical.js';
import { LedgerRun, START_MS, assertSound } from './testing/ledger-run.js';

const hostileAmount = fc.oneof(
  fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
  fc.constantFrom(0n, -1n, 2n ** 53n, 2n ** 62n, 2n ** 63n, 2n ** 64n, -(2n ** 63n), 7_036_874_417_766_399n),
);
const hostileId = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'ann:earned',
    'pool:karma',
    'x'.repeat(65),
    ' ',
    'ann\n',
    'treasury',
    'ann',
  ),
);
const hostileNumber = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -Infinity, -0, 2 ** 53, 5e300));
const hostileVia: fc.Arbitrary<AppSpendingContext> = fc.record({
  clientId: hostileId,
  ownerId: hostileId,
  dailyLimit: hostileAmount,
});
const hostileGrants: fc.Arbitrary<BulkGrant[]> = fc.array(fc.record({ userId: hostileId, amount: hostileAmount }), {
  maxLength: 4,
});

/** A command in which every value may have been replaced by a hostile one of the same type. */
const hostileCommand: fc.Arbitrary<LedgerCommand> = anyCommand.chain((command) => {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, value] of Object.entries(command)) {
    const own = fc.constant(value);
    fields[name] = own;
    if (name === 'via') fields[name] = fc.oneof(own, hostileVia);
    if (name === 'grants') fields[name] = fc.oneof(own, hostileGrants);
    if (typeof value === 'bigint') fields[name] = fc.oneof(own, hostileAmount);
    if (typeof value === 'number') fields[name] = fc.oneof(own, hostileNumber);
    if (typeof value === 'string' && name.endsWith('Id')) fields[name] = fc.oneof(own, hostileId);
  }
  return fc.record(fields) as unknown as fc.Arbitrary<LedgerCommand>;
});

test('no well-typed command makes decide throw or changes the state; what it accepts can be evolved', () => {
  fc.assert(
    fc.property(
      history(25),
      fc.array(hostileCommand, { minLength: 5, maxLength: 25, size: 'max' }),
      (before, hostile) => {
        const run = new LedgerRun();
        for (const { command } of before) run.execute(command);
        for (const command of hostile) {
          const state = canonical(run.state);
          decide(run.state, command, START_MS);
          if (canonical(run.state) !== state) throw new Error(`deciding ${command.type} changed the state`);
          run.execute(command);
        }
        assertSound(run.state);
      },
    ),
    { numRuns: 120 },
  );
});

test('no odd id ever reaches an account’s name', () => {
  fc.assert(
    fc.property(fc.array(hostileCommand, { minLength: 20, maxLength: 40, size: 'max' }), (hostile) => {
      const run = new LedgerRun();
      for (const command of hostile) run.execute(command);
      for (const [account] of run.state.accounts()) {
        expect(account.split(':').every((part) => isAccountId(part))).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

/** A copy of the value for each id in it, at any depth, in which that one is replaced. */
function withEachIdAs(id: string, value: object): object[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const ownId = name.endsWith('Id') ? [id] : [];
    const replacements = typeof field === 'object' && field !== null ? withEachIdAs(id, field) : ownId;
    return replacements.map((replacement) => Object.assign(structuredClone(value), { [name]: replacement }));
  });
}

/** One of each type that has ids, with all the ids that it may have and no amount that is refused before them. */
const WITHOUT_IDS: readonly LedgerCommandType[] = ['ClosePeriod', 'BeginSigning', 'ChangeSigningKey'];
const COMMANDS_WITH_IDS = COMMAND_TYPES.filter((type) => !WITHOUT_IDS.includes(type)).map((type) => {
  const hasGoodAmounts = (command: LedgerCommand): boolean => {
    const decision = decide(new LedgerRun().state, command, START_MS);
    return decision.accepted || decision.rejection.code !== 'INVALID_AMOUNT';
  };
  const samples = fc.sample(
    anyCommand.filter((command) => command.type === type && hasGoodAmounts(command)),
    { numRuns: 20, seed: 1 },
  );
  const ids = (command: LedgerCommand): number => withEachIdAs('', command).length;
  return samples.reduce((most, command) => (ids(command) > ids(most) ? command : most));
});

test.each(COMMANDS_WITH_IDS.flatMap((command) => ['', 'a:b', 'ä'].map((id) => [command.type, id, command] as const)))(
  '%s refuses the id "%s" wherever it stands',
  (_type, id, command) => {
    const replaced = withEachIdAs(id, command) as LedgerCommand[];
    expect(replaced.length).toBeGreaterThan(0);
    for (const hostile of replaced) {
      const decision = decide(new LedgerRun().state, hostile, START_MS);
      expect(decision).toMatchObject({ accepted: false, rejection: { code: 'INVALID_COMMAND' } });
    }
  },
);

test('every rejection says why in a sentence', () => {
  fc.assert(
    fc.property(history(20), hostileCommand, (before, command) => {
      const run = new LedgerRun();
      for (const step of before) run.execute(step.command);
      const decision = decide(run.state, command, START_MS);
      if (decision.accepted) expect(decision.events.length).toBeGreaterThan(0);
      else expect(decision.rejection.message).toMatch(/^[A-Z].*[.\w]$/);
    }),
  );
});

test('Nova beyond what a balance can hold is refused when it is issued, not when it is posted', () => {
  const run = new LedgerRun();
  const grant: LedgerCommand = {
    type: 'GrantNova',
    userId: 'ann',
    adminId: 'admin',
    amount: 7_036_874_417_766_399n,
  };
  const burn: LedgerCommand = { type: 'BurnTokens', userId: 'ann', earnedNova: grant.amount, karma: 0n, influence: 0n };
  for (let n = 0n; n < NOVA_SUPPLY_MAX / grant.amount; n++) {
    expect(run.execute(grant).status).toBe('accepted');
    expect(run.execute(burn).status).toBe('accepted');
  }
  const outcome = run.execute(grant);
  expect(outcome).toMatchObject({ status: 'refused', rejection: { code: 'INVALID_AMOUNT' } });
  for (const type of ['RecordPurchase', 'ClaimQuestReward'] as const) {
    const [command] = fc.sample(
      anyCommand.filter((other) => other.type === type),
      { numRuns: 1, seed: 1 },
    );
    expect(run.execute({ ...command!, amount: grant.amount } as LedgerCommand).status).toBe('refused');
  }
  assertSound(run.state);
});

test('what was bought counts like what was granted, and a chargeback of Nova that was spent makes no room for more', () => {
  const run = new LedgerRun();
  const purchase = (amount: bigint): LedgerCommand => ({
    type: 'RecordPurchase',
    userId: 'ann',
    amount,
    paymentIntentId: 'pi_1',
    chargedCents: 1,
    livemode: false,
  });
  const grant = (amount: bigint): LedgerCommand => ({ type: 'GrantNova', userId: 'ben', adminId: 'admin', amount });
  const full = { status: 'refused', rejection: { message: 'The amount is more than the ledger can hold.' } };
  for (let n = 1n; n < NOVA_SUPPLY_MAX / AMOUNT_MAX; n++) run.execute(grant(AMOUNT_MAX));
  expect(run.execute(purchase(AMOUNT_MAX)).status).toBe('accepted');
  const room = NOVA_SUPPLY_MAX % AMOUNT_MAX;
  expect(run.execute(purchase(room + 1n))).toMatchObject(full);
  expect(run.execute(grant(room + 1n))).toMatchObject(full);
  expect(run.execute(grant(room)).status).toBe('accepted');
  expect(run.execute(grant(1n))).toMatchObject(full);
  run.execute({
    type: 'PayForCard',
    kind: 'unlock',
    senderId: 'ann',
    recipientId: 'ben',
    subjectId: 'ben',
    amount: AMOUNT_MAX,
  });
  const reversal = { paymentIntentId: 'pi_1', reversalId: 're_1', reason: 'dispute' } as const;
  expect(run.execute({ type: 'ReversePurchase', userId: 'ann', amount: AMOUNT_MAX, ...reversal })).toMatchObject({
    events: [{ shortfall: AMOUNT_MAX }],
  });
  expect(run.execute(grant(1n))).toMatchObject(full);
});

test('a gift that names no application, though it has the field, is a gift of one’s own', () => {
  const run = new LedgerRun();
  run.execute({ type: 'GrantNova', userId: 'ann', adminId: 'admin', amount: GIFT_MIN });
  const gift: LedgerCommand = {
    type: 'SendGift',
    senderId: 'ann',
    recipientId: 'ben',
    amount: GIFT_MIN,
    via: undefined,
  };
  expect(decide(run.state, gift, START_MS)).toMatchObject({ accepted: true, events: [{ type: 'GiftSent' }] });
});
