import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, held, member, open, refusal, toast, type Sent } from '@/testing/nova';

const BEN = { ...member({ id: 'member-ben', displayName: 'Ben' }), email: 'ben@nova.test' };
const page = (count: number) => ({ page: 1, limit: 20, total: count, totalPages: Math.min(1, count) });

const day = (name: string, registrations: number) => ({
  day: name,
  circulation: 1_234.5,
  purchased: 0,
  purchases: 0,
  gifted: 0,
  gifts: 0,
  chatsRequested: 0,
  chatsSuccessful: 0,
  registrations,
});

const report = {
  id: 'report-1',
  reporter: member({ id: 'member-cleo', displayName: 'Cleo' }),
  reported: BEN,
  text: '<i>rude</i> in every sentence',
  chatId: null,
  createdAt: new Date().toISOString(),
  closedAt: null,
};

const overview = {
  days: 30,
  registrations: { count: 12, previous: 10, change: 20 },
  chats: { count: 0, previous: 0, change: null },
  transactions: { count: 5, previous: 5, change: 0 },
  averageRating: 7.5,
  successRate: null,
  uptime: 100,
};

/** A parameter of the newest call. */
const asked = (calls: readonly Sent[], name: string) => calls.at(-1)?.url.searchParams.get(name) ?? null;

beforeEach(() => {
  answerAdmin();
  answer('GET /api/admin/stats', {
    totalUsers: 3,
    totalChats: 2,
    novaInCirculation: 1_234.5,
    activeQuests: 1,
    version: '1.0.0',
  });
  answer('GET /api/admin/overview', overview);
  answer('GET /api/admin/series', { series: [day('2026-01-30', 0), day('2026-01-31', 4)] });
});

test('the overview says how a period went, and keeps the period in the address', async () => {
  const calls = answer('GET /api/admin/overview', overview);
  const user = open('/admin');
  expect(await screen.findByText('12')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page');
  const tile = (label: string) => screen.getByText(label, { selector: 'dt' }).closest('div');
  expect(tile('Registrations')).toHaveTextContent('20% more than the 10 in the previous period.');
  expect(tile('Uptime')).toHaveTextContent('Share of minutes in which a server ran');
  await waitFor(() => expect(tile('Nova in Circulation')).toHaveTextContent('1,234.50'));
  expect(asked(calls, 'days')).toBe('30');
  expect(screen.getByText('The server runs Nova 1.0.0.')).toBeVisible();

  await user.click(screen.getByRole('radio', { name: '7 days' }));
  await waitFor(() => expect(asked(calls, 'days')).toBe('7'));
  expect(location.search).toContain('days=7');
  await user.click(screen.getByText('Figures by day', { selector: 'summary' }));
  const table = screen.getByRole('table', { name: /^Figures by UTC day/ });
  expect(
    within(table)
      .getAllByRole('rowheader')
      .map((header) => header.textContent),
  ).toEqual(['2026-01-31', '2026-01-30']);
});

test('the overview begins with the period of its address', async () => {
  open('/admin?section=overview&days=7');
  expect(await screen.findByRole('radio', { name: '7 days' })).toBeChecked();
});

test('a report is read, leads to its members, and is closed once', async () => {
  answer('GET /api/admin/reports', () => ({ reports: [report], pagination: page(1) }));
  const user = open('/admin?section=reports');
  const item = await screen.findByRole('listitem', { name: 'Report about Ben' });
  expect(item).toHaveTextContent('<i>rude</i> in every sentence');
  expect(within(item).getByRole('link', { name: 'Ben' })).toHaveAttribute('href', '/admin?section=users&search=Ben');

  const closed = answer('POST /api/admin/reports/report-1/close', { message: 'The report is closed.' });
  answer('GET /api/admin/reports', { reports: [], pagination: page(0) });
  await user.click(within(item).getByRole('button', { name: 'Close report' }));
  expect(await toast('Report Closed')).toBeVisible();
  await waitFor(() => expect(item).not.toBeInTheDocument());
  expect(closed).toHaveLength(1);

  const lists = answer('GET /api/admin/reports', {
    reports: [{ ...report, closedAt: new Date().toISOString() }],
    pagination: page(1),
  });
  await user.click(screen.getByRole('radio', { name: 'Closed' }));
  const old = await screen.findByRole('listitem', { name: 'Report about Ben' });
  expect(asked(lists, 'status')).toBe('closed');
  expect(location.search).toContain('status=closed');
  expect(old).toHaveTextContent('closed just now');
  expect(within(old).queryByRole('button', { name: 'Close report' })).toBeNull();
});

test('the audit tells who did what and why, filters it, and leads to the event', async () => {
  const entry = {
    id: 'event-1',
    adminId: 'member-ada',
    adminName: 'Grace',
    action: 'NovaGranted',
    targetId: BEN.id,
    targetName: 'Ben',
    subjectId: null,
    amount: 12.5,
    rating: null,
    reason: 'For a test',
    createdAt: new Date().toISOString(),
  };
  const calls = answer('GET /api/admin/audit', { entries: [entry], pagination: page(1) });
  answer('GET /api/admin/users', { users: [BEN], pagination: page(1) });
  const user = open('/admin?section=audit');
  await user.selectOptions(await screen.findByLabelText('Action'), 'NovaGranted');
  await user.click(screen.getByRole('button', { name: 'One member' }));
  await fill(user, await screen.findByLabelText('Member'), BEN.email);
  await user.click(await screen.findByRole('button', { name: new RegExp(BEN.email) }));
  await waitFor(() => expect([asked(calls, 'action'), asked(calls, 'targetId')]).toEqual(['NovaGranted', BEN.id]));
  expect(location.search).toContain(`action=NovaGranted&targetId=${BEN.id}`);
  const row = screen.getByRole('row', { name: /Grace/ });
  for (const text of ['Added Nova', 'Ben', 'For a test', '+12.50']) expect(row).toHaveTextContent(text);

  await user.click(screen.getByRole('button', { name: 'Remove filter Added Nova' }));
  await waitFor(() => expect(asked(calls, 'action')).toBeNull());
  answer('GET /api/admin/events/event-1', refusal(404, 'EVENT_NOT_FOUND', 'There is no such event.'));
  screen.getByRole('row', { name: /Grace/ }).focus();
  await user.keyboard('{Enter}');
  expect(await screen.findByText('There is no such event.')).toBeVisible();
  expect(location.pathname).toBe('/admin/events/event-1');
});

test('transactions begin with the oldest when their time is sorted the other way', async () => {
  const transaction = {
    id: 'row-1',
    type: 'admin_grant',
    amount: 20,
    shortfall: 0,
    balanceAfter: 30,
    description: 'Added by an admin',
    counterparty: null,
    eventId: 'event-1',
    createdAt: new Date().toISOString(),
    userId: BEN.id,
    userName: 'Ben',
    userEmail: BEN.email,
  };
  const calls = answer('GET /api/admin/transactions', { transactions: [transaction], pagination: page(1) });
  const user = open(`/admin?userId=${BEN.id}`);
  expect(await screen.findByRole('row', { name: /Added by an admin/ })).toHaveTextContent('+20.00');
  expect(location.search).toBe(`?section=transactions&userId=${BEN.id}`);
  const time = () => screen.getByRole('columnheader', { name: 'Time' });
  expect(time()).toHaveAttribute('aria-sort', 'descending');
  await user.click(within(time()).getByRole('button'));
  expect(await screen.findByRole('table', { name: 'Transactions, oldest first' })).toBeVisible();
  expect(time()).toHaveAttribute('aria-sort', 'ascending');
  await waitFor(() => expect([asked(calls, 'order'), asked(calls, 'userId')]).toEqual(['asc', BEN.id]));
  expect(location.search).toContain('order=asc');
});

for (const [section, reply] of [
  ['overview', overview],
  ['content', { content: [], pagination: page(0) }],
  ['reports', { reports: [], pagination: page(0) }],
  ['audit', { entries: [], pagination: page(0) }],
] as const) {
  test(`${section} that cannot be loaded says so and is tried again`, async () => {
    const path = `GET /api/admin/${section}` as const;
    answer(path, new Response('', { status: 429 }));
    const user = open(`/admin?section=${section}`);
    const alert = await screen.findByRole('alert');
    answer(path, reply);
    await user.click(within(alert).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
}

test('a list that is on its way is not said to be empty', async () => {
  answer('GET /api/admin/reports', { reports: [], pagination: page(0) });
  const user = open('/admin?section=reports');
  expect(await screen.findByText('No open reports')).toBeVisible();
  const closed = held({ reports: [], pagination: page(0) });
  answer('GET /api/admin/reports', closed.reply);
  await user.click(screen.getByRole('radio', { name: 'Closed' }));
  expect(await screen.findByRole('list', { name: 'Loading reports' })).toBeVisible();
  expect(screen.queryByText('No closed reports')).toBeNull();
  closed.letGo();
  expect(await screen.findByText('No closed reports')).toBeVisible();
});
