import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, open, refusal, toast } from '@/testing/nova';

const watch = (given: object = {}) => ({
  id: 'watch-1',
  account: 'treasury',
  member: null,
  direction: 'below',
  limit: 10_000,
  balance: 9_500,
  isBeyond: true,
  setBy: { id: 'member-rhea', displayName: 'Rhea' },
  setAt: new Date().toISOString(),
  reason: 'Rewards are paid from it',
  crossings: [{ eventId: 'event-1', balance: 9_999.5, at: new Date().toISOString() }],
  ...given,
});
const watches = (...listed: { isBeyond: boolean }[]) => ({
  watches: listed,
  beyond: listed.filter(({ isBeyond }) => isBeyond).length,
  max: 50,
});

beforeEach(() => {
  answerAdmin();
  answer('GET /api/admin/watches', watches());
});

const show = () => open('/admin?section=watches');

test('a watch shows how it stands, when it was crossed, and that it is beyond; it can be removed', async () => {
  const other = watch({
    id: 'watch-2',
    account: 'user:ben:earned',
    member: 'Ben',
    direction: 'above',
    balance: null,
    isBeyond: false,
    crossings: [],
    reason: null,
  });
  answer('GET /api/admin/watches', watches(watch(), other));
  const user = show();
  const item = within(await screen.findByRole('listitem', { name: 'Treasury' }));
  expect(item.getByText('Beyond')).toBeVisible();
  expect(item.getByText(/Below/)).toHaveTextContent('Below 10,000 Nova · now 9,500 Nova');
  expect(item.getByText('Rewards are paid from it')).toBeVisible();
  const crossing = item.getByRole('link', { name: 'Crossed at 9,999.50 Nova' });
  expect(crossing).toHaveAttribute('href', '/admin/events/event-1');
  const second = within(screen.getByRole('listitem', { name: 'user:ben:earned' }));
  expect(second.getByText(/Above/)).toHaveTextContent('Above 10,000 Nova · not looked at yet');
  expect(second.getByRole('link', { name: 'Ben' })).toBeVisible();
  expect(screen.getByRole('link', { name: /^Watches/ })).toHaveTextContent('Watches1');
  answer('DELETE /api/admin/watches/watch-1', refusal(404, 'NOT_FOUND', 'This watch was not found.'));
  await user.click(item.getByRole('button', { name: 'Remove' }));
  expect(await toast('This watch was not found.')).toBeVisible();
  answer('DELETE /api/admin/watches/watch-1', watches(other));
  answer('GET /api/admin/watches', watches(other));
  await user.click(item.getByRole('button', { name: 'Remove' }));
  expect(await toast('Watch Removed')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('listitem', { name: 'Treasury' })).toBeNull());
});

test('a balance is watched by its name, and a refusal stays in the dialog', async () => {
  const user = show();
  expect(await screen.findByText('No watches yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Watch a balance' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Watch a balance' }));
  await user.selectOptions(dialog.getByLabelText('Balance'), 'Another account');
  await user.click(dialog.getByRole('button', { name: 'Watch it' }));
  expect(await dialog.findByText('Enter the name of an account.')).toBeVisible();
  expect(dialog.getByText('Enter a number of Nova with at most two decimals.')).toBeVisible();
  await fill(user, dialog.getByLabelText('Account'), 'chat:none');
  await user.selectOptions(dialog.getByLabelText('When it'), 'Falls below');
  await fill(user, dialog.getByLabelText('Limit'), '12.50');
  answer('POST /api/admin/watches', refusal(400, 'UNKNOWN_ACCOUNT', 'There is no account of Nova with this name.'));
  await user.click(dialog.getByRole('button', { name: 'Watch it' }));
  expect(await dialog.findByText('There is no account of Nova with this name.')).toBeVisible();
  await user.selectOptions(dialog.getByLabelText('Balance'), 'Nova in circulation');
  const sent = answer('POST /api/admin/watches', watches(watch()));
  await user.click(dialog.getByRole('button', { name: 'Watch it' }));
  expect(await toast('Balance Watched')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ account: 'total:circulation', direction: 'below', limit: 12.5 }]);
});

test('watches that cannot be loaded say so and are tried again', async () => {
  answer('GET /api/admin/watches', () => new Response('', { status: 503 }));
  const user = show();
  expect(await screen.findByText('The watches could not be loaded.')).toBeVisible();
  answer('GET /api/admin/watches', watches());
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No watches yet')).toBeVisible();
});
