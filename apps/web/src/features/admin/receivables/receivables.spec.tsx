import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, open, refusal, toast } from '@/testing/nova';

const page = (count: number) => ({ page: 1, limit: 20, total: count, totalPages: Math.min(1, count) });

const receivable = {
  reversalId: 're_1',
  userId: 'dora',
  userName: 'Dora',
  paymentIntentId: 'pi_1',
  reason: 'dispute',
  shortfall: 100,
  repaid: 30,
  open: 70,
  eventId: 'event-1',
  openedAt: '2026-01-01T00:00:00.000Z',
  ageDays: 40,
};

const line = {
  id: 'txn_1',
  side: 'provider',
  kind: 'dispute-won',
  providerId: 'dp_1',
  paymentIntentId: 'pi_1',
  cents: 10_000,
  feeCents: 0,
  at: '2026-01-01T00:00:00.000Z',
  status: 'flagged',
  code: 'NOT_GIVEN_BACK',
  note: 'The member lacks it.',
  eventId: 'event-1',
  isSettleable: true,
  explanation: null,
};

const owed = (receivables: readonly object[]) => ({
  receivables,
  totalOpen: receivables.length * 70,
  repaysItself: false,
  pagination: page(receivables.length),
});

beforeEach(() => {
  answerAdmin();
  answer('GET /api/admin/reconciliation/runs', { runs: [], pagination: page(0) });
  answer('GET /api/admin/reconciliation/lines', { lines: [], pagination: page(0) });
  answer('GET /api/admin/receivables', owed([receivable]));
});

test('what a member owes is listed with its age, and written off with a reason', async () => {
  const sent = answer('POST /api/admin/receivables/re_1/write-off', {
    eventId: 'event-2',
    amount: 70,
    message: 'Wrote off 70 Nova.',
    projected: true,
  });
  const user = open('/admin?section=reconciliation');
  const item = await screen.findByRole('listitem', { name: 'Dora, re_1' });
  for (const text of ['Dispute lost', '40 days old', '70.00', 'of 100.00']) expect(item).toHaveTextContent(text);
  expect(screen.getByText(/Nothing repays it by itself/)).toBeVisible();
  await user.click(within(item).getByRole('button', { name: 'Write off what Dora owes' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Write off' }));
  await user.click(dialog.getByRole('button', { name: 'Write off 70 Nova' }));
  expect(await dialog.findByText('Say why.')).toBeVisible();
  await fill(user, dialog.getByLabelText('Reason'), 'Left the country');
  answer('GET /api/admin/receivables', owed([]));
  await user.click(dialog.getByRole('button', { name: 'Write off 70 Nova' }));
  expect(await toast('Written Off')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Left the country' }]);
  expect(sent[0]?.idempotencyKey).toMatch(/./);
  expect(await screen.findByText('Nobody owes anything')).toBeVisible();
});

test('a difference that the ledger can settle is settled, and a refusal is shown', async () => {
  answer('GET /api/admin/reconciliation/lines', {
    lines: [line, { ...line, id: 'txn_2', code: 'NOT_OURS', isSettleable: false }],
    pagination: page(2),
  });
  const user = open('/admin?section=reconciliation');
  const item = await screen.findByRole('listitem', { name: 'Dispute won txn_1' });
  expect(screen.queryByRole('button', { name: 'Settle Dispute won txn_2' })).toBeNull();
  await user.click(within(item).getByRole('button', { name: 'Settle Dispute won txn_1' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Settle the difference' }));
  await fill(user, dialog.getByLabelText('Reason'), 'Appeal won');
  answer(
    'POST /api/admin/reconciliation/lines/txn_1/settle',
    refusal(403, 'ACCOUNT_CLOSED', 'This account is closed.'),
  );
  await user.click(dialog.getByRole('button', { name: 'Settle' }));
  expect(await dialog.findByText('This account is closed.')).toBeVisible();
  const sent = answer('POST /api/admin/reconciliation/lines/txn_1/settle', { ...line, status: 'matched' });
  await user.click(dialog.getByRole('button', { name: 'Settle' }));
  expect(await toast('Difference Settled')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ reason: 'Appeal won' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a difference is explained for the dollar books as well: as usual, or with the account named', async () => {
  answer('GET /api/admin/reconciliation/lines', { lines: [line], pagination: page(1) });
  const user = open('/admin?section=reconciliation');
  const sent = answer('POST /api/admin/reconciliation/lines/txn_1/explain', line);
  for (const account of [undefined, 'Other income']) {
    await user.click(await screen.findByRole('button', { name: 'Explain Dispute won txn_1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Explain the difference' }));
    const taker = dialog.getByLabelText('Account that takes it');
    expect(taker).toHaveDisplayValue('As usual: a loss, or receipts not yet applied');
    expect(dialog.queryByRole('option', { name: 'Deferred revenue' })).toBeNull();
    if (account !== undefined) await user.selectOptions(taker, account);
    await fill(user, dialog.getByLabelText('Why the difference is right'), 'Settled by hand');
    await user.click(dialog.getByRole('button', { name: 'Explain' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(sent.map(({ body }) => body)).toEqual([
    { reason: 'Settled by hand' },
    { reason: 'Settled by hand', takenBy: 'income:other' },
  ]);
});
