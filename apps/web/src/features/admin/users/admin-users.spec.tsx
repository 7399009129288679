import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, answerAdmin, fill, held, open, toast } from '@/testing/nova';

const member = (displayName: string, given: object = {}) => ({
  id: `member-${displayName}`,
  displayName,
  email: `${displayName}@nova.test`,
  profileImageUrl: null,
  isAdmin: false,
  novaBalance: 0,
  purchasedNova: 0,
  earnedNova: 0,
  owedNova: 0,
  rating: 5,
  ratingCount: 0,
  fileCount: 0,
  fileBytes: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
  ...given,
});
const pagination = { page: 1, limit: 20, total: 2, totalPages: 1 };
const users = (...listed: object[]) => answer('GET /api/admin/users', { users: listed, pagination });
const blockedEmails = (...listed: object[]) =>
  answer('GET /api/admin/blocked-emails', { blockedEmails: listed, pagination });

beforeEach(() => {
  answerAdmin();
  answer('GET /api/admin/stats', {
    totalUsers: 2,
    totalChats: 0,
    novaInCirculation: 0,
    activeQuests: 0,
    version: '1.0.0',
  });
  users(member('Ben'));
  blockedEmails();
});

const button = (name: string | RegExp) => screen.findByRole('button', { name });

async function choose(user: ReturnType<typeof open>, action: string, name = 'Ben') {
  await user.click(await button(`Actions for ${name}`));
  await user.click(await screen.findByRole('menuitem', { name: action }));
  return within(await screen.findByRole('dialog', { name: action }));
}

test('an admin sets a new password and a new PIN', async () => {
  const user = open('/admin?section=users');
  const password = await choose(user, 'Reset Password');
  const submit = password.getByRole('button', { name: 'Reset Password' });
  await fill(user, password.getByLabelText('New password'), 'short');
  await user.click(submit);
  expect(await password.findByText('The password needs at least 6 characters.')).toBeVisible();
  await fill(user, password.getByLabelText('New password'), 'sesame street');
  await fill(user, password.getByLabelText('Reason (optional)'), 'She called us');
  const reset = answer('POST /api/admin/users/member-Ben/reset-password', { message: 'Done.' });
  await user.click(submit);
  expect(await toast('Password Reset')).toBeVisible();
  expect(reset.map(({ body }) => body)).toEqual([{ newPassword: 'sesame street', reason: 'She called us' }]);
  await waitFor(async () => expect(await button('Actions for Ben')).toHaveFocus());

  const pin = await choose(user, 'Reset PIN');
  await user.type(pin.getByLabelText('New PIN'), '0a4-2');
  expect(pin.getByLabelText('New PIN')).toHaveValue('042');
  await user.click(pin.getByRole('button', { name: 'Reset PIN' }));
  expect(await pin.findByText('The PIN needs exactly 4 digits.')).toBeVisible();
  await fill(user, pin.getByLabelText('New PIN'), '0420');
  const changed = answer('POST /api/admin/users/member-Ben/reset-pin', { message: 'Done.' });
  await user.click(pin.getByRole('button', { name: 'Reset PIN' }));
  expect(await toast('PIN Reset')).toBeVisible();
  expect(changed).toHaveLength(1);
});

test('an admin changes a rating, and a failure is told in a toast', async () => {
  const user = open('/admin?section=users');
  const dialog = await choose(user, 'Change Rating');
  const submit = dialog.getByRole('button', { name: 'Change Rating' });
  await fill(user, dialog.getByLabelText('New rating'), '10');
  await user.click(submit);
  expect((await dialog.findAllByText(/from 0.00 to 9.99/)).at(-1)).toBeVisible();
  await fill(user, dialog.getByLabelText('New rating'), '8.25');
  answer('POST /api/admin/users/member-Ben/change-rating', () => new Response('', { status: 409 }));
  await user.click(submit);
  expect(await toast('Failed to update rating')).toBeVisible();
  const change = held({ message: 'Done.' });
  const sent = answer('POST /api/admin/users/member-Ben/change-rating', change.reply);
  await user.click(submit);
  await waitFor(() => expect(sent).toHaveLength(1));
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'Change Rating' })).toBeVisible();
  users(member('Ben', { rating: 8.25 }));
  change.letGo();
  expect(await toast('Rating Updated')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('row', { name: /Ben/ })).toHaveTextContent('8.25 (0)'));
});

test('an admin deletes an account only after typing its name', async () => {
  users(member('Ada  نور', { id: 'member-Ada', email: 'ada@nova.test', novaBalance: 1_250, earnedNova: 1_250 }));
  const user = open('/admin?section=users');
  const dialog = await choose(user, 'Delete Account', 'Ada نور');
  expect(screen.getByRole('dialog')).toHaveTextContent('(ada@nova.test) is deleted for good.');
  expect(screen.getByRole('dialog')).toHaveTextContent('1,250.00 Nova are forfeited');
  const submit = dialog.getByRole('button', { name: 'Delete Account' });
  expect(submit).toBeDisabled();
  await fill(user, dialog.getByLabelText(/to confirm/), 'Ada  نو');
  expect(submit).toBeDisabled();
  await fill(user, dialog.getByLabelText(/to confirm/), 'Ada نور');
  const sent = answer('DELETE /api/admin/users/member-Ada', { message: 'Gone.' });
  users();
  await user.click(submit);
  expect(await toast('Account Deleted')).toBeVisible();
  expect(sent).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole('row', { name: /Ada/ })).toBeNull());
});

test('an admin blocks an address and lets it register again', async () => {
  const user = open('/admin?section=users');
  await user.click(await button('Block E-mail'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Block E-mail' }));
  const submit = dialog.getByRole('button', { name: 'Block E-mail' });
  await fill(user, dialog.getByLabelText('E-mail address'), 'nobody');
  await user.click(submit);
  expect(await dialog.findByText('Enter a valid e-mail address.')).toBeVisible();
  await fill(user, dialog.getByLabelText('E-mail address'), 'mallory+spam@gmail.com');
  await fill(user, dialog.getByLabelText('Reason (optional)'), 'Spam');
  const sent = answer('POST /api/admin/block-email', { message: 'Done.' });
  const blocked = {
    id: 'blocked-1',
    email: 'mallory+spam@gmail.com',
    mailbox: 'mallory@gmail.com',
    reason: 'Spam',
    blockedBy: 'Grace',
    createdAt: '2026-01-31T12:00:00.000Z',
  };
  const lists = blockedEmails(blocked);
  await user.click(submit);
  expect(await toast('E-mail Blocked')).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([{ email: 'mallory+spam@gmail.com', reason: 'Spam' }]);
  await fill(user, screen.getByLabelText('Search blocked e-mails'), 'mallory');
  await waitFor(() => expect(lists.at(-1)?.url.searchParams.get('search')).toBe('mallory'));
  const list = await screen.findByRole('list', { name: 'Blocked e-mails' });
  const row = await within(list).findByRole('listitem');
  expect(row).toHaveTextContent('As mallory@gmail.com');
  expect(row).toHaveTextContent('Spam');
  answer('DELETE /api/admin/blocked-emails/blocked-1', { message: 'Done.' });
  blockedEmails();
  await user.click(within(row).getByRole('button', { name: 'Unblock mallory+spam@gmail.com' }));
  expect(await toast('E-mail Unblocked')).toBeVisible();
  await waitFor(() => expect(row).not.toBeInTheDocument());
});

test('users are sorted by the server, kept in the address, and walked with the keyboard', async () => {
  const lists = users(member('Zoe', { novaBalance: 700, earnedNova: 700 }), member('Anna'));
  const user = open('/admin?section=users');
  await screen.findByRole('row', { name: /Zoe/ });
  const rows = () => within(screen.getByRole('table', { name: 'Users' })).getAllByRole('row');
  await user.click(await button('Balance'));
  await waitFor(() => expect(lists.at(-1)?.url.searchParams.get('sort')).toBe('balance'));
  expect(location.search).toContain('sort=balance');
  expect(screen.getByRole('columnheader', { name: 'Balance' })).toHaveAttribute('aria-sort', 'descending');
  rows()[1]?.focus();
  await user.keyboard('{ArrowDown}');
  expect(rows()[2]).toHaveFocus();
  const stats = { totalRatingsReceived: 0, totalRatingsMade: 0, averageRatingReceived: 0, averageRatingGiven: 0 };
  const comments = { user: member('Anna'), stats, ratingsAboutUser: [], ratingsMadeByUser: [] };
  answer('GET /api/admin/users/member-Anna/comments', comments);
  await user.keyboard('{Enter}');
  expect(await screen.findByText('Nobody has rated this member yet.')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(rows()[2]).toHaveFocus());
  answer('GET /api/admin/transactions', { transactions: [], pagination });
  await user.click(await button('Actions for Zoe'));
  await user.click(await screen.findByRole('menuitem', { name: 'Show transactions' }));
  await waitFor(() => expect(location.search).toMatch(/section=transactions.*userId=member-Zoe/));
});

test('the search keeps what is typed while it goes into the address', async () => {
  const lists = users(member('Ben'));
  open('/admin?section=users');
  const search = await screen.findByLabelText<HTMLInputElement>('Search users');
  // React writes to a field only if the value differs from the current one.
  const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  let isOverwritten = false;
  Object.defineProperty(search, 'value', {
    get: () => value?.get?.call(search),
    set(text: string) {
      isOverwritten ||= text !== search.value;
      value?.set?.call(search, text);
    },
    configurable: true,
  });
  const typed = 'ben@nova.test';
  for (const count of typed.split('').keys()) {
    value?.set?.call(search, typed.slice(0, count + 1));
    search.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  await waitFor(() => expect(lists.at(-1)?.url.searchParams.get('search')).toBe(typed));
  expect(new URLSearchParams(location.search).get('search')).toBe(typed);
  expect(search).toHaveValue(typed);
  expect(isOverwritten).toBe(false);
});
