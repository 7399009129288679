import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, fill, held, MEMBER, open, refusal, toast } from '@/testing/nova';

const moment = { revision: 7, at: '2026-01-31T12:00:00.000Z', hash: 'ab'.repeat(32) };
const statement = (given: object = {}) => ({
  month: '2026-01',
  isOver: true,
  opening: moment,
  closing: moment,
  nova: { opening: 1_000, closing: 2_750.5 },
  groups: [
    { type: 'gift_send', count: 1_204, amount: -250 },
    { type: 'gift_receive', count: 1, amount: 2_000 },
  ],
  accrued: 0.5,
  accounts: [],
  ...given,
});
const monthOf = (date: Date) => date.toISOString().slice(0, 7);
const now = new Date();
const lastMonth = monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)));

function openStatement(joinedAt = '2025-01-31T12:00:00.000Z') {
  answer('GET /api/auth/user', { user: { ...MEMBER, createdAt: joinedAt } });
  answer('GET /api/nova/transactions', { transactions: [], nextCursor: null });
  return open('/wallet?statement=1');
}
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Statement' }));

test('the statement of the last whole month goes from its opening to its closing balance', async () => {
  const asked = answer('GET /api/nova/statement', statement());
  openStatement();
  const form = await dialog();
  const rows = [...(await form.findByLabelText('Summary')).children].map((row) => row.textContent);
  expect(rows).toEqual([
    expect.stringMatching(/^Opening balance.*1,000\.00/),
    expect.stringMatching(/^Gift sent × 1,204.*−250\.00/),
    expect.stringMatching(/^Gift received × 1.*\+2,000\.00/),
    expect.stringMatching(/^Rewards not yet credited.*\+0\.50/),
    expect.stringMatching(/^Closing balance.*2,750\.50/),
  ]);
  expect(asked[0]?.url.searchParams.get('month')).toBe(lastMonth);
});

test('the month that lasts is said to last, and may be empty', async () => {
  const asked = answer('GET /api/nova/statement', () =>
    statement({ isOver: false, groups: [], accrued: 0, nova: { opening: 5, closing: 5 } }),
  );
  const user = openStatement();
  const form = await dialog();
  const months = await form.findByLabelText('Month');
  await user.selectOptions(months, monthOf(now));
  expect(await form.findByText('Balance so far')).toBeVisible();
  expect(form.getByText('Nothing moved in this month')).toBeVisible();
  expect(asked.at(-1)?.url.searchParams.get('month')).toBe(monthOf(now));
});

test('the address keeps how the wallet’s list is narrowed', async () => {
  const asked = answer('GET /api/nova/transactions', { transactions: [], nextCursor: null });
  const user = open('/wallet?search=Ann&month=2026-02&direction=in&type=nonsense');
  await screen.findByText('Nothing found');
  expect(screen.getByLabelText('Search')).toHaveValue('Ann');
  expect(screen.getByLabelText('Direction')).toHaveValue('in');
  const sent = Object.fromEntries(asked.at(-1)?.url.searchParams ?? []);
  expect(sent).toMatchObject({ search: 'Ann', startDate: '2026-02-01', endDate: '2026-02-28', direction: 'in' });
  expect(sent).not.toHaveProperty('type');
  await user.selectOptions(screen.getByLabelText('Type'), 'gift_send');
  await fill(user, screen.getByLabelText('Search'), 'Bob');
  expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
    search: 'Bob',
    month: '2026-02',
    direction: 'in',
    type: 'gift_send',
  });
  await user.click(await screen.findByRole('button', { name: 'Show everything' }));
  await waitFor(() => expect(location.search).toBe(''));
});

test('who joined this month has this month alone', async () => {
  answer('GET /api/nova/statement', statement());
  openStatement(now.toISOString());
  const months = await (await dialog()).findByLabelText('Month');
  expect(within(months).getAllByRole('option')).toHaveLength(1);
});

test('a statement that does not load says why, offers no files and loads again', async () => {
  const replies = [
    () => refusal(503, 'BOOKS_BEHIND', 'The books have not reached this moment yet. Try again shortly.'),
    () => statement(),
  ];
  answer('GET /api/nova/statement', () => replies.shift()?.() ?? statement());
  const user = openStatement();
  const form = await dialog();
  expect(await form.findByText(/have not reached this moment/)).toBeVisible();
  expect(form.getByRole('button', { name: 'Download PDF' })).toBeDisabled();
  await user.click(form.getByRole('button', { name: /again/i }));
  expect(await form.findByText('Closing balance')).toBeVisible();
  expect(form.getByRole('button', { name: 'Download PDF' })).toBeEnabled();
});

test.each([
  ['Download PDF', 'pdf'],
  ['Download CSV', 'csv'],
])('%s asks for the file of the month, and can be stopped', async (label, extension) => {
  answer('GET /api/nova/statement', statement());
  const asked = answer(`GET /api/nova/statement.${extension}`, held(null).reply);
  const user = openStatement();
  const form = await dialog();
  await user.click(await form.findByRole('button', { name: label }));
  expect(await form.findByText('Starting')).toBeVisible();
  await user.click(form.getByRole('button', { name: 'Stop the download' }));
  expect(await form.findByRole('button', { name: label })).toBeEnabled();
  expect(asked.map(({ url }) => url.searchParams.get('month'))).toEqual([lastMonth]);
});

test('a refusal to print is said', async () => {
  answer('GET /api/nova/statement', statement());
  answer('GET /api/nova/statement.pdf', () =>
    refusal(503, 'BUSY', 'Many statements are being printed right now. Please try again in a moment.'),
  );
  const user = openStatement();
  await user.click(await (await dialog()).findByRole('button', { name: 'Download PDF' }));
  expect(await toast(/Many statements are being printed/)).toBeVisible();
});

const row = (given: object) => ({
  id: '9-0',
  type: 'gift_send',
  amount: -1_000,
  shortfall: 0,
  balanceAfter: 4_000,
  description: 'Gift to Ben',
  counterparty: null,
  eventId: 'event-9',
  isReversed: false,
  count: 1,
  createdAt: '2026-02-14T12:00:00.000Z',
  ...given,
});
const posts = row({ id: '8-0', type: 'feed_scroll_send', description: 'Post viewed', amount: -24, count: 24 });

test('small movements of a day are one row that opens', async () => {
  const asked = answer('GET /api/nova/transactions', () =>
    asked.at(-1)?.url.searchParams.get('groupBy') === 'day'
      ? { transactions: [row({}), posts], nextCursor: null }
      : { transactions: [row({ id: '8-0', description: 'Viewed a post of Zoë', amount: -1 })], nextCursor: null },
  );
  const user = open('/wallet');
  const group = await screen.findByRole('button', { name: /^Post viewed × 24.*minus 24 Nova/ });
  await user.click(group);
  expect(await screen.findByRole('button', { name: /Viewed a post of Zoë/ })).toBeVisible();
  expect(Object.fromEntries(asked.at(-1)?.url.searchParams ?? [])).toEqual({
    limit: '20',
    type: 'feed_scroll_send',
    startDate: '2026-02-14',
    endDate: '2026-02-14',
  });
});

test('search, month, direction and type narrow the list and its totals, and are taken back together', async () => {
  const asked = answer('GET /api/nova/transactions', () => ({
    transactions: asked.length === 1 ? [posts] : [],
    nextCursor: null,
  }));
  const totalled = answer('GET /api/nova/transactions/totals', { count: 1_204, in: 5_000, out: 250.5 });
  answer('GET /api/auth/user', { user: { ...MEMBER, createdAt: '2025-01-31T12:00:00.000Z' } });
  const user = open('/wallet');
  const totals = await screen.findByLabelText('Totals');
  expect(await within(totals).findByText('1,204 movements')).toBeVisible();
  expect(totals).toHaveTextContent(/In.*\+5,000\.00.*Out.*−250\.50/);
  await fill(user, screen.getByLabelText('Search'), ' Zoë ');
  await user.selectOptions(screen.getByLabelText('Month'), '2026-02');
  await user.selectOptions(screen.getByLabelText('Direction'), 'Out');
  await user.selectOptions(screen.getByLabelText('Type'), 'Post viewed');
  const wanted = {
    search: 'Zoë',
    startDate: '2026-02-01',
    endDate: '2026-02-28',
    direction: 'out',
    type: 'feed_scroll_send',
  };
  await waitFor(() => expect(Object.fromEntries(totalled.at(-1)?.url.searchParams ?? [])).toEqual(wanted));
  expect(Object.fromEntries(asked.at(-1)?.url.searchParams ?? [])).toMatchObject({ ...wanted, groupBy: 'day' });
  await user.click(await screen.findByRole('button', { name: 'Show everything' }));
  await waitFor(() => expect(asked.at(-1)?.url.search).toBe('?limit=20&groupBy=day'));
  expect(screen.getByLabelText('Search')).toHaveValue('');
});
