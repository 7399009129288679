import type { LedgerCommand } from '../commands.js';
import {
  bought,
  burned,
  closed,
  closing,
  earnsInfluence,
  frozen,
  gift,
  granted,
  reinstatementIn,
  reversed,
  shortfallRepaid,
  shortfallWrittenOff,
} from '../testing/commands.js';
import { given, type Scenario } from '../testing/scenario.js';

/** Ann bought 100 Nova, spent 70, and her payment was charged back: she owes 70. */
const OWES_70: readonly LedgerCommand[] = [
  bought('ann', '100'),
  granted('ann', '70'),
  burned('ann', { earnedNova: '70' }),
  { ...reversed('ann', '170', 'dispute') },
];

const reinstatement = ({ journal }: Scenario, repaid = 0n): LedgerCommand => reinstatementIn(journal, repaid);

test('what a reversal could not take is owed, by member and reversal', () => {
  const { state } = given(OWES_70);
  expect(state.shortfallsOf('ann')).toEqual([{ reversalId: 're_ann', amount: 7_000n, open: 7_000n }]);
  expect(given(bought('ann', '100'), reversed('ann', '100')).state.shortfallsOf('ann')).toEqual([]);
});

test('Nova that comes later repays it, purchased first, as far as it reaches', () => {
  const scenario = given(OWES_70, bought('ann', '20', 'pi_2'), granted('ann', '10'));
  scenario.when(shortfallRepaid('ann')).thenWrites('ShortfallRepaid').balances(`
      user:ann:purchased     20.00    0.00
      user:ann:earned        10.00    0.00
      external:chargebacks  -70.00  -40.00
    `);
  expect(scenario.state.shortfallsOf('ann')).toEqual([{ reversalId: 're_ann', amount: 7_000n, open: 4_000n }]);
  scenario.accept(granted('ann', '50'));
  scenario.when(shortfallRepaid('ann')).thenWrites('ShortfallRepaid').balances(`
      user:ann:earned        50.00   10.00
      external:chargebacks  -40.00    0.00
    `);
  expect(scenario.state.shortfallsOf('ann')).toEqual([]);
  scenario.when(shortfallRepaid('ann')).refused('NO_SHORTFALL');
});

test('what pools owe repays it too, of a paused member as well', () => {
  given(earnsInfluence('ann'), OWES_70, frozen('ann'), bought('eve', '1,000'), gift('eve', 'ben', '1,000'))
    .when(shortfallRepaid('ann'))
    .thenWrites('PoolRewardsPaid', 'ShortfallRepaid').balances(`
      owed:ann              500.00    0.00
      pool:influence        500.00    0.00
      user:ann:earned         0.00  430.00
      external:chargebacks  -70.00    0.00
    `);
});

test('refused: with nothing to repay from, for another reversal, or while closing', () => {
  given(OWES_70).when(shortfallRepaid('ann')).refused('INSUFFICIENT_NOVA', '0');
  given(OWES_70, granted('ann', '1')).when(shortfallRepaid('ann', 're_2')).refused('NO_SHORTFALL');
  given(OWES_70, granted('ann', '1'), closing('ann')).when(shortfallRepaid('ann')).refused('ACCOUNT_CLOSED');
});

test('an admin writes off the rest, once, and no Nova moves', () => {
  const scenario = given(OWES_70, granted('ann', '30'), shortfallRepaid('ann'));
  scenario.when(shortfallWrittenOff('ann')).thenWrites('ShortfallWrittenOff').balances('');
  expect(scenario.events()).toMatchObject([{ amount: 4_000n, reversalId: 're_ann' }]);
  scenario.when(shortfallWrittenOff('ann')).refused('NO_SHORTFALL');
  expect(scenario.state.shortfallsOf('ann')).toEqual([]);
});

test('what a closed account owed is owed no more, and a later reversal opens nothing', () => {
  const scenario = given(OWES_70, closing('ann'), closed('ann'));
  expect(scenario.state.shortfallsOf('ann')).toEqual([]);
  scenario.when(reversed('ann', '5', 'refund', 're_2')).thenWrites('PurchaseReversed');
  expect(scenario.state.shortfallsOf('ann')).toEqual([]);
});

test('a reinstated purchase comes back into its buckets, and its shortfall is owed no more', () => {
  const scenario = given(bought('ann', '100'), granted('ann', '30'), reversed('ann', '170'));
  scenario.when(reinstatement(scenario)).thenWrites('PurchaseReinstated').balances(`
      user:ann:purchased       0.00   100.00
      user:ann:earned          0.00    30.00
      external:chargebacks   -40.00     0.00
      external:stripe         70.00  -100.00
    `);
  expect(scenario.state.shortfallsOf('ann')).toEqual([]);
});

test('what the member repaid in the meantime comes back as purchased', () => {
  const before = [bought('ann', '100'), reversed('ann', '170'), granted('ann', '25'), shortfallRepaid('ann')];
  const open = given(before);
  open.when(reinstatement(open)).thenWrites('PurchaseReinstated').balances(`
      user:ann:purchased       0.00   125.00
      external:chargebacks   -45.00     0.00
      external:stripe         70.00  -100.00
    `);
  const settled = given(before, shortfallWrittenOff('ann'));
  settled.when(reinstatement(settled, 2_500n)).thenWrites('PurchaseReinstated').balances(`
      user:ann:purchased       0.00   125.00
      external:chargebacks   -45.00     0.00
      external:stripe         70.00  -100.00
    `);
});

test('refused: for a closed account, and where the reversal is described otherwise', () => {
  const gone = given(bought('ann', '100'), reversed('ann', '100'), closing('ann'));
  gone.when(reinstatement(gone)).refused('ACCOUNT_CLOSED');
  const scenario = given(OWES_70);
  const command = reinstatement(scenario);
  const changes = [
    { amount: 0n, purchased: 0n, earned: 0n },
    { purchased: -1n },
    { earned: -1n },
    { purchased: 20_000n },
    { originalRevision: 99 },
    { originalRevision: -1 },
    { originalRevision: 0.5 },
    { reason: 'charity' },
  ];
  for (const change of changes) {
    const rejection = { code: expect.stringMatching(/INVALID_COMMAND|INVALID_AMOUNT/) as string };
    expect(scenario.dryRun({ ...command, ...change } as LedgerCommand)).toMatchObject({ accepted: false, rejection });
  }
  const settled = given(OWES_70, shortfallWrittenOff('ann'));
  for (const repaid of [-1n, 7_001n]) {
    expect(settled.dryRun(reinstatement(settled, repaid))).toMatchObject({ rejection: { code: 'INVALID_COMMAND' } });
  }
});
