import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, held, MEMBER, open } from '@/testing/nova';

const CSV = 'email,amount,reason\nada@nova.test,"1,250.50","=SUM(A1), thanks"\nnobody@nova.test,5,';
const ada = { id: 'member-ada', displayName: 'Ada <b>Bulk</b>' };
const batch = {
  batchId: 'batch-1',
  mode: 'each',
  createdAt: '2026-01-31T12:00:00.000Z',
  finished: true,
  rows: 2,
  granted: 1,
  total: 1_250.5,
  admin: { id: MEMBER.id, displayName: 'Grace' },
};
const good = {
  line: 2,
  member: ada,
  given: 'ada@nova.test',
  code: null,
  message: null,
  eventId: null,
  amount: 1_250.5,
  reason: '=SUM(A1), thanks',
  ok: true,
};
const bad = {
  ...good,
  line: 3,
  member: null,
  given: 'nobody@nova.test',
  code: 'MEMBER_NOT_FOUND',
  message: 'There is no member with this address or id.',
  amount: 5,
  reason: '',
  ok: false,
};
const verdict = (given: object = {}) => ({
  acceptable: 1,
  refused: 1,
  total: 1_250.5,
  appliedBefore: null,
  rows: [good, bad],
  ...given,
});
const CHECK = 'POST /api/admin/bulk-grants/check';

beforeEach(() => {
  answerAdmin();
  answer('GET /api/admin/stats', {
    totalUsers: 2,
    totalChats: 0,
    novaInCirculation: 0,
    activeQuests: 0,
    version: '1.0.0',
  });
  const pagination = { page: 1, limit: 10, total: 0, totalPages: 0 };
  answer('GET /api/admin/bulk-grants', { batches: [], pagination });
});

const button = (name: string | RegExp) => screen.findByRole('button', { name });

test('a file of grants is checked, granted row by row, and known when it comes again', async () => {
  const user = open('/admin?section=bulk');
  answer(CHECK, verdict());
  await fill(user, await screen.findByLabelText('Rows'), CSV);
  await user.click(await button('Check the rows'));
  expect(await screen.findByRole('heading', { name: '1 row can be granted, 1 cannot' })).toBeVisible();
  const list = screen.getByRole('list', { name: 'Checked rows' });
  expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent('There is no member with this address or id.');
  expect(list).toHaveTextContent('Ada <b>Bulk</b>');
  await user.click(screen.getByRole('radio', { name: 'All or none' }));
  expect(await button(/^Grant /)).toBeDisabled();
  await user.click(screen.getByRole('radio', { name: 'All valid rows' }));
  const granted = answer('POST /api/admin/bulk-grants', {
    refused: 1,
    repeated: false,
    batch,
    rows: [{ ...good, eventId: 'event-1' }, bad],
    message: 'Granted 1,250.50 Nova in 1 of 2 rows.',
  });
  await user.click(await button('Grant 1,250.50 Nova'));
  expect(await screen.findByRole('heading', { name: 'Granted 1,250.50 Nova in 1 of 2 rows.' })).toBeVisible();
  expect(granted[0]?.body).toMatchObject({ csv: CSV, mode: 'each' });

  await user.click(await button('Grant another file'));
  answer(CHECK, verdict({ appliedBefore: batch }));
  await user.upload(await screen.findByLabelText('CSV file'), new File([CSV], 'grants.csv', { type: 'text/csv' }));
  await waitFor(() => expect(screen.getByLabelText('Rows')).toHaveValue(CSV));
  await user.click(await button('Check the rows'));
  expect(await screen.findByText(/This file was already granted/)).toBeVisible();
  expect(await button(/^Grant /)).toBeDisabled();
});

test('what is typed while a file is being checked is not granted unseen', async () => {
  const user = open('/admin?section=bulk');
  const rows = await screen.findByLabelText('Rows');
  await fill(user, rows, 'email,amount\nada@nova.test,7');
  const check = held(verdict({ refused: 0, total: 7, rows: [{ ...good, amount: 7 }] }));
  const checked = answer(CHECK, check.reply);
  await user.click(await button('Check the rows'));
  await waitFor(() => expect(checked).toHaveLength(1));
  await user.type(rows, '000');
  expect(rows).toHaveValue('email,amount\nada@nova.test,7');
  check.letGo();
  const granted = answer('POST /api/admin/bulk-grants', {
    refused: 0,
    repeated: false,
    batch: { ...batch, rows: 1, total: 7 },
    rows: [{ ...good, amount: 7, eventId: 'event-1' }],
    message: 'Granted 7 Nova in 1 of 1 rows.',
  });
  await user.click(await button('Grant 7 Nova'));
  expect(await screen.findByRole('heading', { name: /^Granted 7 Nova/ })).toBeVisible();
  expect(granted[0]?.body).toMatchObject({ csv: 'email,amount\nada@nova.test,7' });
});
