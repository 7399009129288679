import { MEMBER_BALANCES } from '@app/domain';
import type { StatementRow } from '@app/projections';
import type { MemberDirectory } from '../../identity/member-directory.js';
import type { Transactions } from '../transactions.js';
import type { MonthStatement, MonthStatements } from './month-statements.js';
import { type Month, readMonth } from './month.js';
import { StatementView } from './statement-view.js';

const month = readMonth('2026-11') as Month;
const opening = { revision: 4, hash: 'aa', at: month.start.getTime() - 1 };
const closing = { revision: 9, hash: 'bb', at: month.start.getTime() + 60_000 };

const statement = (given: Partial<MonthStatement> = {}): MonthStatement => ({
  month,
  isOver: true,
  userId: 'ann',
  opening,
  closing,
  nova: { opening: 1_000n, closing: 1_000_000_000_025n },
  owed: { opening: 0n, closing: 25n },
  groups: [{ type: 'gift_send', count: 1, amount: 999_999_999_000n }],
  lines: MEMBER_BALANCES.map((balance) => ({
    balance,
    kind: `user:${balance}` as const,
    owner: 'ann',
    opening: 0n,
    in: 7n,
    out: -7n,
    closing: 0n,
  })),
  ...given,
});

const row = { type: 'gift_send', createdAt: new Date(closing.at), amount: -5n } as StatementRow;

/** A view of rows that are given; every read is counted. */
function viewOf(rows: readonly StatementRow[]) {
  let reads = 0;
  const statements = {
    async *rows() {
      reads += 1;
      yield [...rows];
    },
  } as unknown as MonthStatements;
  const transactions = {
    describe: async (batch: readonly unknown[]) =>
      batch.map(() => ({ withNames: 'Gift to Ben', withIds: 'Gift to b' })),
  } as unknown as Transactions;
  const directory = { get: async () => ({ displayName: 'Ann' }) } as unknown as MemberDirectory;
  return { view: new StatementView(statements, transactions, directory), reads: () => reads };
}

test('amounts are exact and have their sign, and the change of what pools owe is a group', async () => {
  const { view } = viewOf([row]);
  const printed = await view.printed(statement());
  expect(printed).toMatchObject({
    member: { withNames: 'Ann', withIds: 'ann' },
    opening: '10.00',
    change: '+9,999,999,990.25',
    closing: '10,000,000,000.25',
    closingLabel: 'Closing balance',
    note: null,
    revision: '9',
    hash: 'bb',
  });
  expect(printed.groups).toEqual([
    {
      label: 'Gift sent',
      count: '1 movement',
      amount: '+9,999,999,990.00',
      rows: [
        {
          date: '2026-11-01 00:01',
          description: { withNames: 'Gift to Ben', withIds: 'Gift to b' },
          amount: '−0.05',
        },
      ],
    },
    { label: 'Rewards not yet credited', count: 'change', amount: '+0.25', rows: [] },
  ]);
  expect(printed.accounts[0]).toEqual({
    label: 'Purchased Nova',
    opening: '0.00',
    in: '0.07',
    out: '−0.07',
    closing: '0.00',
  });
  expect(printed.accounts[3]).toMatchObject({ label: 'Karma', in: '7', out: '−7' });
});

test('a month that lasts says how far it goes, and an empty journal has no revision', async () => {
  const { view } = viewOf([]);
  const printed = await view.printed(statement({ isOver: false, groups: [] }));
  expect(printed.period).toBe(
    'The month so far. Up to 2026-11-01 00:01 UTC. Amounts are Nova unless said otherwise, times are UTC.',
  );
  expect(printed.closingLabel).toBe('Balance so far');
  const before = { revision: -1, hash: '00', at: undefined };
  const empty = await view.printed(statement({ opening: before, closing: before, groups: [] }));
  expect(empty).toMatchObject({ revision: 'none', date: month.start.getTime() });
});

test('of more movements than can be printed there are sums, and no row is read', async () => {
  const { view, reads } = viewOf([row]);
  const group = { type: 'gift_send', amount: -5n } as const;
  const most = await view.printed(statement({ groups: [{ ...group, count: 5_000 }] }));
  expect([reads(), most.note]).toEqual([1, null]);
  const more = await view.printed(statement({ groups: [{ ...group, count: 5_001 }] }));
  expect(reads()).toBe(1);
  expect(more.note).toBe('The 5,001 movements are too many to list here. The CSV file has all of them.');
  expect(more.groups[0]).toMatchObject({ count: '5,001 movements', amount: '−0.05', rows: [] });
});
