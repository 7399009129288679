import { auditState } from './audit.js';
import { LedgerState, type LedgerSnapshot } from './state.js';
import { bought, chatHeld, chatSucceeded, granted, karmaMinted, walletFunded } from './testing/commands.js';
import { LedgerRun } from './testing/ledger-run.js';

/** Ann has bought 90.00, holds a chat and funds a wallet; Kim holds the one share of the Karma pool, which owes 1.00. */
function ledger(): LedgerSnapshot {
  const run = new LedgerRun();
  const commands = [
    bought('ann', '100'),
    granted('ann', '1'),
    karmaMinted('kim'),
    chatHeld('c1', 'ann', 'hal', '10'),
    chatSucceeded('c1'),
    chatHeld('c2', 'ann', 'hal', '10'),
    walletFunded('ann', '5'),
  ];
  for (const command of commands) expect(run.execute(command).status).toBe('accepted');
  return run.state.snapshot();
}

/** What an audit says after one thing of a sound state was changed behind the ledger's back. */
function audited(change: (snapshot: LedgerSnapshot) => Partial<LedgerSnapshot>): string[] {
  const snapshot = ledger();
  return auditState(LedgerState.restore({ ...snapshot, ...change(snapshot) }));
}

const karmaPool = ({ pools }: LedgerSnapshot) => pools.get('pool:karma')!;

/** The same balance, more or less. */
const platform = (name: 'treasury' | 'issuance:NOVA' | 'issuance:KARMA', by: bigint) => (snapshot: LedgerSnapshot) => ({
  platform: new Map(snapshot.platform).set(name, snapshot.platform.get(name)! + by),
});

/** Nova between the treasury and the Karma pool, without its holders' accumulator. */
const moved = (amount: bigint) => (snapshot: LedgerSnapshot) => ({
  ...platform('treasury', -amount)(snapshot),
  pools: new Map(snapshot.pools).set('pool:karma', {
    ...karmaPool(snapshot),
    balance: karmaPool(snapshot).balance + amount,
  }),
});

test('a sound ledger has no breach, though what is issued and what came from outside is below zero', () => {
  const { platform: balances } = ledger();
  expect(balances.get('external:stripe')).toBe(-10_000n);
  expect(balances.get('issuance:NOVA')).toBe(-100n);
  expect(audited(() => ({}))).toEqual([]);
});

test('balances of a currency that do not sum to zero', () => {
  expect(audited(platform('treasury', 1n))).toEqual(['all balances of NOVA sum to 1, not 0']);
  expect(audited(platform('issuance:KARMA', -1n))).toEqual(['all balances of KARMA sum to -1, not 0']);
});

test('a balance below zero', () => {
  const breaches = audited(({ members, ...snapshot }) => {
    const slot = members.ids.others.get('hal') ?? -1;
    const balances = members.balances.map((column) => column.slice());
    balances[1]![slot] = -7n;
    return { ...platform('issuance:NOVA', 7n)({ members, ...snapshot }), members: { ...members, balances } };
  });
  expect(breaches).toEqual(['user:hal:earned is below zero: -7']);
});

test('shares that are not those of the holders', () => {
  const shares = (by: bigint) =>
    audited((snapshot) => ({
      pools: new Map(snapshot.pools).set('pool:karma', {
        ...karmaPool(snapshot),
        shares: karmaPool(snapshot).shares + by,
      }),
    }));
  expect(shares(1n)).toEqual(['pool:karma counts 2 shares, its holders have 1']);
  expect(shares(-1n)).toEqual(['pool:karma counts 0 shares, its holders have 1']);
});

test('a pool that holds what it owes to nobody', () => {
  const [other, far] = [
    'pool:karma holds 102, which is not what it owes',
    'pool:karma holds 103, which is not what it owes',
  ];
  expect(audited(moved(2n))).toEqual([other]);
  expect(audited(moved(3n))).toEqual([far, 'pool:karma has a remainder of 3 with 1 holders']);
});

test('a pool that owes more than it holds', () => {
  expect(audited(moved(-1n))).toEqual([
    'pool:karma holds 99, which is not what it owes',
    'pool:karma has a remainder of -1 with 1 holders',
  ]);
});

test('a part of a unit that went astray', () => {
  const breaches = audited((snapshot) => ({
    pools: new Map(snapshot.pools).set('pool:karma', { ...karmaPool(snapshot), remainder: 1n }),
  }));
  expect(breaches).toEqual(['pool:karma holds 100, which is not what it owes']);
});
