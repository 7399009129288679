import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, held, open, refusal, toast, type Sent } from '@/testing/nova';

const BASE = '/api/admin/finance/general-ledger';
const OCTOBER = { from: '2026-10-01T00:00:00.000Z', to: '2026-10-31T23:59:59.999Z' };

const figure = (account: string, label: string, cents: number, isContra = false) => ({
  account,
  label,
  class: 'asset',
  isContra,
  cents,
});

/** A month that ends with 79.00 at the provider, of which 76.39 are deferred, after a profit of 2.61. */
const statements = (given: object = {}) => ({
  period: OCTOBER,
  isClosed: false,
  balanceSheet: {
    assets: {
      figures: [
        figure('assets:provider:balance', 'Balance at the payment provider', 7_900),
        figure('assets:receivables:members', 'Due from members', 500),
        figure('assets:receivables:allowance', 'Allowance for what members owe', 500, true),
      ],
      cents: 7_900,
    },
    liabilities: { figures: [figure('liabilities:deferred-revenue', 'Deferred revenue', 7_639)], cents: 7_639 },
    equity: { figures: [figure('equity:retained-earnings', 'Retained earnings', -100)], cents: -100 },
    resultCents: 361,
  },
  incomeStatement: {
    revenue: { figures: [figure('income:revenue:commission', 'Commission', 623)], cents: 623 },
    expenses: { figures: [figure('expenses:provider:fees', 'Payment fees', 262)], cents: 262 },
    resultCents: 361,
  },
  rollForward: {
    openingCents: 100,
    openingExact: '1.000000',
    flows: [
      { flow: 'sold', cents: 8_001, exact: '80.010000' },
      { flow: 'commission', cents: -462, exact: '-4.620046' },
      { flow: 'burned', cents: 0, exact: '0.000000' },
    ],
    roundingCents: 1,
    closingCents: 7_639,
    closingExact: '76.389954',
  },
  ...given,
});
const NOTHING = { figures: [], cents: 0 };
const EMPTY = {
  balanceSheet: { assets: NOTHING, liabilities: NOTHING, equity: NOTHING, resultCents: 0 },
  incomeStatement: { revenue: NOTHING, expenses: NOTHING, resultCents: 0 },
};
const report = (shown: object, comparison: object | null = null) => ({
  currency: 'XTS',
  timeZone: 'UTC',
  statements: shown,
  comparison,
});

const line = (revision: number, given: object = {}) => ({
  source: 'ledger',
  revision,
  type: 'GiftSent',
  description: `Gift ${revision}`,
  eventId: `event-${revision}`,
  subject: '',
  postedAt: '2026-10-05T12:00:00.000Z',
  cents: -50,
  exact: '-0.500000',
  ...given,
});

const openAt = (clearing: object[], disputes: object[] = []) => ({
  period: OCTOBER,
  accounts: [
    ['assets:provider:clearing', 'Payments in clearing', clearing] as const,
    ['assets:provider:disputes', 'Disputed payments', disputes] as const,
  ].map(([account, label, subjects]) => ({
    account,
    label,
    count: subjects.length,
    unsettled: subjects.filter((subject) => !('centsNow' in subject) || subject.centsNow !== 0).length,
    subjects,
  })),
});
const subject = (name: string, cents: number, centsNow = cents) => ({
  subject: name,
  cents,
  centsNow,
  since: new Date(Date.now() - 26.5 * 86_400_000).toISOString(),
});

const day = (name: string, given: object = {}) => ({
  day: name,
  provider: {
    openingCents: 0,
    paymentsCents: 8_001,
    refundsCents: -400,
    disputesCents: 0,
    feesCents: -262,
    payoutsCents: 0,
    otherCents: 0,
    closingCents: 7_339,
  },
  purchasesCents: 8_001,
  reversalsCents: 400,
  differenceCents: 0,
  ...given,
});

const closedMonths = (...months: string[]) => ({
  timeZone: 'UTC',
  periods: months.map((month, index) => ({ number: months.length - index, month, endsAt: OCTOBER.to })),
  providerReadUntil: '2026-11-02T08:00:00.000Z',
});

/** A parameter of the newest call. */
const asked = (calls: readonly Sent[], name: string) => calls.at(-1)?.url.searchParams.get(name) ?? null;
const row = async (table: string, name: RegExp) =>
  within(await screen.findByRole('table', { name: table })).getByRole('row', { name });

beforeEach(() => {
  answerAdmin();
  answer(`GET ${BASE}/statements`, report(statements()));
  answer(`GET ${BASE}/control-totals`, { period: OCTOBER, providerReadUntil: null, days: [] });
  answer(`GET ${BASE}/open`, openAt([]));
  answer(`GET ${BASE}/periods`, closedMonths());
  answer(`GET ${BASE}/policies`, { policies: [] });
});

const DOLLARS = '/admin?section=finance&view=dollars&month=2026-10';
const CLOSE = '/admin?section=finance&view=close&month=2026-10';

test('the statements of a month add up, with contra accounts and losses in parentheses', async () => {
  const waiting = held(report(statements({ isClosed: true })));
  const calls = answer(`GET ${BASE}/statements`, waiting.reply);
  open(DOLLARS);
  expect(await screen.findByRole('list', { name: 'Loading the statements' })).toBeVisible();
  waiting.letGo();
  expect(await row('Balance sheet', /Balance at the payment provider/)).toHaveTextContent('79.00');
  expect(await row('Balance sheet', /Allowance/)).toHaveTextContent('(5.00)');
  expect(await row('Balance sheet', /Total assets/)).toHaveTextContent('79.00');
  expect(await row('Balance sheet', /Total equity/)).toHaveTextContent('(1.00)');
  const equation = await row('Balance sheet', /Liabilities \+ equity \+ profit/);
  expect(equation).toHaveTextContent('Equals total assets');
  expect(equation).toHaveTextContent('79.00');
  expect(await row('Profit and loss', /^Profit \(loss\)/)).toHaveTextContent('3.61');
  expect(await row('Deferred revenue', /Opening/)).toHaveTextContent('1.001.000000');
  expect(await row('Deferred revenue', /Commission earned/)).toHaveTextContent('(4.62)−4.620046');
  expect(await row('Deferred revenue', /Nova burned/)).toHaveTextContent('none');
  expect(await row('Deferred revenue', /Closing/)).toHaveTextContent('76.3976.389954');
  expect(screen.getByText('Closed')).toBeVisible();
  expect(screen.getAllByText('Test dollars (XTS)', { exact: false })[0]).toBeVisible();
  expect(asked(calls, 'month')).toBe('2026-10');
});

test('books that do not balance say so', async () => {
  const wrong = statements();
  wrong.balanceSheet.assets.cents += 1;
  answer(`GET ${BASE}/statements`, report(wrong));
  open(DOLLARS);
  expect(await row('Balance sheet', /Liabilities \+ equity/)).toHaveTextContent('79.00');
  expect(screen.getByText('Does not equal total assets')).toBeVisible();
});

test('a month before the first purchase is empty, and a failure is told and tried again', async () => {
  answer(`GET ${BASE}/statements`, refusal(503, 'BOOKS_BEHIND', 'The dollar books are not up to date yet.'));
  const user = open(DOLLARS);
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('The dollar books are not up to date yet.');
  answer(`GET ${BASE}/statements`, report(statements(EMPTY)));
  await user.click(within(alert).getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nothing yet')).toBeVisible();
});

test('two months stand beside each other, each with its own figures', async () => {
  const september = statements({
    period: { from: '2026-09-01T00:00:00.000Z', to: '2026-09-30T23:59:59.999Z' },
    incomeStatement: {
      revenue: { figures: [figure('income:revenue:burns', 'Nova burned', 18)], cents: 18 },
      expenses: { figures: [], cents: 0 },
      resultCents: 18,
    },
  });
  const user = open(DOLLARS);
  await user.selectOptions(await screen.findByLabelText('Period'), 'Days…');
  const calls = answer(`GET ${BASE}/statements`, report(statements(), september));
  await waitFor(() => expect(location.search).toContain('from=2026-10-01&to=2026-10-31'));
  await user.selectOptions(screen.getByLabelText('Compare with'), '2026-09');
  const table = await screen.findByRole('table', { name: 'Profit and loss' });
  expect(await within(table).findByRole('columnheader', { name: 'September 2026' })).toBeVisible();
  expect([asked(calls, 'month'), asked(calls, 'from'), asked(calls, 'compare')]).toEqual([
    null,
    '2026-10-01',
    '2026-09',
  ]);
  const burns = await row('Profit and loss', /Nova burned/);
  expect(
    within(burns)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(['–none', '0.18']);
  expect(within(burns).getByRole('link')).toHaveAttribute(
    'href',
    expect.stringMatching(/account=income%3Arevenue%3Aburns&first=2026-09-01&last=2026-09-30/),
  );
});

test('a figure opens its lines, they load on, lead to the event, and back again', async () => {
  const calls = answer(`GET ${BASE}/lines`, () =>
    asked(calls, 'cursor') === null
      ? { period: OCTOBER, lines: [line(9), line(8, { cents: 0, exact: '0.004999' })], nextCursor: 'next' }
      : { period: OCTOBER, lines: [line(7, { source: 'books', eventId: null, subject: 'pi_1' })], nextCursor: null },
  );
  const user = open(DOLLARS);
  await user.click(within(await row('Profit and loss', /Commission/)).getByRole('link', { name: '6.23' }));
  expect(await screen.findByRole('heading', { name: 'Commission' })).toBeVisible();
  expect([asked(calls, 'account'), asked(calls, 'from'), asked(calls, 'to')]).toEqual([
    'income:revenue:commission',
    '2026-10-01',
    '2026-10-31',
  ]);
  const [first, second] = await screen
    .findAllByRole('listitem')
    .then((items) => items.filter((item) => /Gift/.test(item.textContent)));
  expect(first).toHaveTextContent('0.50 Cr');
  expect(second).toHaveTextContent('exactly 0.004999 Dr');
  expect(screen.getAllByRole('link', { name: 'Open the event' })[0]).toHaveAttribute('href', '/admin/events/event-9');
  await user.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Gift 7')).toBeVisible();
  expect(asked(calls, 'cursor')).toBe('next');
  await user.click(screen.getByRole('link', { name: 'All lines of pi_1' }));
  await waitFor(() => expect(asked(calls, 'subject')).toBe('pi_1'));
  history.go(-2);
  expect(await screen.findByRole('table', { name: 'Balance sheet' })).toBeVisible();

  await user.click(within(await row('Balance sheet', /Deferred revenue/)).getByRole('link'));
  await waitFor(() =>
    expect([asked(calls, 'account'), asked(calls, 'from')]).toEqual(['liabilities:deferred-revenue', null]),
  );
  await user.click(screen.getByRole('link', { name: 'Dollars' }));
  await user.click(within(await row('Deferred revenue', /Nova sold/)).getByRole('link'));
  await waitFor(() => expect(asked(calls, 'flow')).toBe('sold'));
  expect(location.search).toContain('month=2026-10');
});

test('the checklist says what is missing', async () => {
  answer(`GET ${BASE}/periods`, { ...closedMonths('2026-08'), providerReadUntil: '2026-10-30T08:00:00.000Z' });
  answer(`GET ${BASE}/open`, openAt([subject('pi_1', 8_001), subject('pi_2', -5, 0)], [subject('du_1', 100)]));
  open(CLOSE);
  const list = await screen.findByRole('list', { name: 'Checklist' });
  expect(list).toHaveTextContent('Done: The month is over. It ends 2026-10-31 23:59:59 UTC.');
  expect(list).toHaveTextContent('To do: The payment provider was looked at until 2026-10-30 08:00:00 UTC.');
  expect(list).toHaveTextContent(
    'To do: One difference is open. Look at the payment provider first, then settle or explain what is left.',
  );
  expect(list).toHaveTextContent('One dispute is open.');
  expect(within(list).getByRole('link', { name: 'Reconciliation' })).toHaveAttribute(
    'href',
    '/admin?section=reconciliation',
  );
  expect(screen.getByRole('listitem', { name: 'pi_2' })).toHaveTextContent('Settled since.');
  expect(within(screen.getByRole('listitem', { name: 'pi_2' })).queryByRole('button')).toBeNull();
});

/** Opens the dialog that closes October, and gives its submit button. */
async function closeOctober(user: ReturnType<typeof open>) {
  await user.click(await screen.findByText('Close the month'));
  const dialog = await screen.findByRole('dialog', { name: 'Close October 2026' });
  return { dialog: within(dialog), submit: within(dialog).getByRole('button', { name: 'Close October 2026' }) };
}

test('the close is refused in the server’s words', async () => {
  const user = open(CLOSE);
  const { dialog, submit } = await closeOctober(user);
  const sentence = 'Journal and provider still differ: pi_1 (80.01). Settle or explain each, then close.';
  const sent = answer(`POST ${BASE}/periods`, refusal(409, 'DIFFERENCES_OPEN', sentence));
  await user.click(submit);
  expect(await dialog.findByText(sentence)).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ month: '2026-10' }]);
});

test('a month that was closed says so, and leads to its statements', async () => {
  const user = open(CLOSE);
  const { submit } = await closeOctober(user);
  answer(`POST ${BASE}/periods`, { number: 2, month: '2026-10', endsAt: OCTOBER.to });
  answer(`GET ${BASE}/periods`, closedMonths('2026-10', '2026-08'));
  await user.click(submit);
  expect(await toast('Month Closed')).toBeVisible();
  expect(await screen.findByText('October 2026 is closed.')).toBeVisible();
  expect(screen.queryByText('Close the month')).toBeNull();
  const months = within(screen.getByRole('list', { name: 'Closed months' })).getAllByRole('link');
  expect(months.map((link) => link.getAttribute('href'))).toEqual([
    '/admin?section=finance&view=dollars&month=2026-10',
    '/admin?section=finance&view=dollars&month=2026-08',
  ]);
});

test('the close begins with the month after the last closed one', async () => {
  answer(`GET ${BASE}/periods`, closedMonths('2026-02'));
  const calls = answer(`GET ${BASE}/open`, openAt([]));
  open('/admin?section=finance&view=close');
  expect(await screen.findByText('No difference is open.')).toBeVisible();
  expect(screen.getByLabelText('Month')).toHaveValue('2026-03');
  expect(asked(calls, 'month')).toBe('2026-03');
});

for (const [cents, account, label] of [
  [8_001, 'expenses:losses:differences', 'Unexplained differences'],
  [-8_001, 'liabilities:unapplied', 'Receipts not yet applied'],
] as const) {
  test(`a difference of ${cents} cents goes to ${account} unless an admin says otherwise`, async () => {
    answer(`GET ${BASE}/open`, openAt([subject('pi_1', cents)]));
    const user = open(CLOSE);
    const item = await screen.findByRole('listitem', { name: 'pi_1' });
    expect(item).toHaveTextContent('26 days ago');
    await user.click(within(item).getByRole('button', { name: 'Explain pi_1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Explain a difference' }));
    expect(dialog.getByLabelText('Account that takes it')).toHaveValue(account);
    expect(dialog.getByText(label, { selector: 'dt' }).parentElement).toHaveTextContent(cents > 0 ? 'Dr' : 'Cr');
    expect(dialog.queryByRole('option', { name: 'Balance at the payment provider' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Post 80.01' }));
    expect(await dialog.findByText('Say why.')).toBeVisible();
    await fill(user, dialog.getByLabelText('Reason'), ' Known at the bank ');
    const sent = answer(`POST ${BASE}/explanations`, () => new Response(null, { status: 204 }));
    answer(`GET ${BASE}/open`, openAt([]));
    await user.click(dialog.getByRole('button', { name: 'Post 80.01' }));
    expect(await toast('Difference Explained')).toBeVisible();
    expect(sent.map(({ body }) => body)).toEqual([
      { account: 'assets:provider:clearing', subject: 'pi_1', takenBy: account, reason: 'Known at the bank' },
    ]);
    expect(await screen.findByText('Nothing is open')).toBeVisible();
  });
}

test('an adjustment shows its sums while it is typed, and is posted only if they are equal', async () => {
  const user = open(CLOSE);
  await user.click(await screen.findByRole('button', { name: 'Post an adjustment' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Post an adjustment' }));
  expect(dialog.getByLabelText('Date')).toHaveValue('2026-10-31');
  const field = (lineNumber: number, name: string) =>
    within(dialog.getByRole('group', { name: `Line ${lineNumber}` })).getByLabelText(name);
  await fill(user, field(1, 'Debit'), '$1,234.50');
  await fill(user, field(2, 'Credit'), '1000');
  expect(dialog.getByRole('status')).toHaveTextContent('Debits1,234.50Credits1,000.00Left over234.50');
  await fill(user, dialog.getByLabelText('Reason'), 'Disputes expected');
  const sent = answer(`POST ${BASE}/adjustments`, refusal(409, 'BOOKS_CLOSED', 'The books are closed at this date.'));
  await user.click(dialog.getByRole('button', { name: 'Post the adjustment' }));
  expect(await dialog.findByText('Debits and credits are not equal.')).toBeVisible();
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Add a line' }));
  await fill(user, field(3, 'Credit'), '234.50');
  expect(dialog.getByRole('status')).toHaveTextContent('Left over0.00');
  await user.click(dialog.getByRole('button', { name: 'Post the adjustment' }));
  expect(await dialog.findByText('The books are closed at this date.')).toBeVisible();
  await fill(user, dialog.getByLabelText('Date'), '2026-11-01');
  answer(`POST ${BASE}/adjustments`, () => new Response(null, { status: 204 }));
  await user.click(dialog.getByRole('button', { name: 'Post the adjustment' }));
  expect(await toast('Adjustment Posted')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    {
      date: '2026-10-31',
      reason: 'Disputes expected',
      lines: [
        { account: 'expenses:losses:disputes', cents: 123_450 },
        { account: 'liabilities:unapplied', cents: -100_000 },
        { account: 'income:other', cents: -23_450 },
      ],
    },
  ]);
});

test('the policy says what holds and what is planned, and is changed from the first open month on', async () => {
  answer(`GET ${BASE}/periods`, closedMonths('2026-02'));
  const user = open(CLOSE);
  expect(await screen.findByText('100 %, the default')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Change the policy' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Change the policy' }));
  expect(dialog.getByLabelText('From')).toHaveValue('2026-03');
  await fill(user, dialog.getByLabelText('Allowance in percent'), '101');
  const sent = answer(`POST ${BASE}/policies`, refusal(409, 'BOOKS_CLOSED', 'The books are closed in this month.'));
  await user.click(dialog.getByRole('button', { name: 'Set the policy' }));
  expect(await dialog.findByText('Enter a whole number from 0 to 100.')).toBeVisible();
  expect(dialog.getByText('Say why.')).toBeVisible();
  expect(sent).toEqual([]);
  await fill(user, dialog.getByLabelText('Allowance in percent'), '60');
  await fill(user, dialog.getByLabelText('Reason'), ' Most of them pay ');
  await user.click(dialog.getByRole('button', { name: 'Set the policy' }));
  expect(await dialog.findByText('The books are closed in this month.')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { allowancePercent: 60, month: '2026-03', reason: 'Most of them pay' },
  ]);
  answer(`POST ${BASE}/policies`, () => new Response(null, { status: 204 }));
  const policies = [
    { allowancePercent: 40, month: '2999-01', reason: null },
    { allowancePercent: 60, month: '2026-03', reason: 'Most of them pay' },
  ];
  answer(`GET ${BASE}/policies`, { policies });
  await user.click(dialog.getByRole('button', { name: 'Set the policy' }));
  expect(await toast('Policy Set')).toBeVisible();
  expect(await screen.findByText('60 % from March 2026')).toBeVisible();
  expect(screen.getByText('Most of them pay')).toBeVisible();
  expect(screen.getByText('40 % from January 2999').parentElement).toHaveTextContent('The reason was erased.');
});

test('control totals stand day by day and in total, with what is open between the two', async () => {
  const second = {
    provider: { ...day('').provider, openingCents: 7_339, closingCents: 14_678 },
    differenceCents: 100,
  };
  answer(`GET ${BASE}/control-totals`, {
    period: OCTOBER,
    providerReadUntil: null,
    days: [day('2026-10-05'), day('2026-10-07', second)],
  });
  open(CLOSE);
  const cells = async (name: RegExp) =>
    within(await row('Control totals', name))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  const [payments, refunds, fees] = ['160.02', 'minus (8.00)', 'minus (5.24)'];
  expect((await cells(/^2026-10-05/)).at(-1)).toBe('0.00');
  expect((await cells(/^2026-10-07/)).at(-1)).toBe('1.00');
  expect(await cells(/^Total/)).toEqual([
    '0.00',
    payments,
    refunds,
    '0.00',
    fees,
    '0.00',
    '0.00',
    '146.78',
    payments,
    refunds,
    '1.00',
  ]);
  expect(within(await row('Control totals', /^2026-10-05/)).getByRole('link', { name: '73.39' })).toHaveAttribute(
    'href',
    expect.stringContaining('account=assets%3Aprovider%3Abalance&first=2026-10-05&last=2026-10-05'),
  );
});
