import { decide } from '../decide.js';
import { closing, granted } from '../testing/commands.js';
import { given } from '../testing/scenario.js';
import type { LedgerCommand } from '../commands.js';
import { AMOUNT_MAX, BULK_ROWS_MAX, NOVA_SUPPLY_MAX } from '../constants.js';
import { LedgerState } from '../state.js';

const bulk = (...rows: readonly (readonly [userId: string, amount: bigint, cause?: string])[]): LedgerCommand => ({
  type: 'GrantNovaInBulk',
  adminId: 'admin',
  grants: rows.map(([userId, amount, cause]) => ({ userId, amount, ...(cause === undefined ? {} : { cause }) })),
});

test('a bulk grants every row, also twice to the same member, each with its own cause', () => {
  given()
    .when(bulk(['ann', 100n], ['ben', 250n], ['ann', 50n]))
    .thenWrites('NovaGranted', 'NovaGranted', 'NovaGranted').balances(`
      user:ann:earned  0.00   1.50
      user:ben:earned  0.00   2.50
      issuance:NOVA    0.00  -4.00`);
  const decision = decide(new LedgerState(), bulk(['ann', 100n, 'reason:1'], ['ben', 1n]), 0);
  expect(decision).toMatchObject({ accepted: true, events: [{ userId: 'ann', cause: 'reason:1' }, { userId: 'ben' }] });
  expect(decision.accepted && decision.events.map((event) => 'cause' in event)).toEqual([true, false]);
});

test('rows that fit one by one, but not together, are refused', () => {
  const rows = Number(NOVA_SUPPLY_MAX / AMOUNT_MAX) + 1;
  const all = bulk(...Array.from({ length: rows }, () => ['ann', AMOUNT_MAX] as const));
  given().when(all).refused('INVALID_AMOUNT');
  expect(decide(new LedgerState(), all, 0)).toMatchObject({
    rejection: { message: 'The amount is more than the ledger can hold.' },
  });
});

test('one row that cannot be granted refuses them all', () => {
  given(granted('ben', '1'), closing('ben'))
    .when(bulk(['ann', 100n], ['ben', 100n]))
    .refused('ACCOUNT_CLOSED');
  given()
    .when(bulk(['ann', 100n], ['ben', 0n]))
    .refused('INVALID_AMOUNT');
  given()
    .when(bulk(['ann', 100n], ['a:b', 1n]))
    .refused('INVALID_COMMAND');
});

test('a bulk has rows, and at most five hundred', () => {
  given().when(bulk()).refused('INVALID_COMMAND');
  const rows = (count: number) => bulk(...Array.from({ length: count }, () => ['ann', 1n] as const));
  given()
    .when(rows(BULK_ROWS_MAX + 1))
    .refused('INVALID_COMMAND');
  expect(decide(new LedgerState(), rows(BULK_ROWS_MAX), 0)).toMatchObject({ accepted: true });
});

test('a period is closed once it is over, and moves nothing', () => {
  const close = (endsAt: number): LedgerCommand => ({ type: 'ClosePeriod', endsAt });
  const at = (now: number, endsAt: number) => decide(new LedgerState(), close(endsAt), now);
  expect(at(1_000, 999)).toEqual({
    accepted: true,
    events: [{ type: 'PeriodClosed', endsAt: 999, entries: [] }],
  });
  expect(at(1_000, 1_000)).toMatchObject({ accepted: false, rejection: { code: 'PERIOD_NOT_OVER' } });
  expect(at(1_000, 5_000)).toMatchObject({ accepted: false, rejection: { code: 'PERIOD_NOT_OVER' } });
  for (const endsAt of [Number.NaN, -1, 0.5]) {
    expect(at(1_000, endsAt)).toMatchObject({ accepted: false, rejection: { code: 'INVALID_COMMAND' } });
  }
});
