import { beforeEach, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import {
  answer,
  answerCards,
  card as profileCard,
  fill,
  lostAnswer,
  MEMBER,
  open,
  refusal,
  toast,
} from '@/testing/nova';

const HOSTILE = '<img src=x onerror=alert(1)> \u05d0\u05d1\u05d2';

const profile = {
  id: MEMBER.id,
  displayName: 'Ada',
  bio: null,
  location: null,
  website: null,
  email: MEMBER.email,
  profileImageUrl: null,
  profileCardThumbnailUrl: null,
  profileCardContent: null,
  profileCardContentId: null,
  isOnline: true,
  allowDirectChats: true,
  minimumChatPrice: 1,
  averageRating: 5,
  ratingCount: 0,
  successRate: 95,
  responseTimeMinutes: 2,
  completedChats: 0,
  totalEarnings: 0,
};

const content = (caption: string) => ({
  id: `content-${caption}`,
  contentType: 'image',
  mediaType: 'image/jpeg',
  mediaUrl: '/objects/one',
  thumbnailUrl: null,
  caption,
  hashtags: [],
  viewCount: 0,
  totalEarnings: 0,
  createdAt: '2026-01-31T12:00:00.000Z',
  isCard: false,
});

const refused = refusal.bind(null, 409, 'NO', 'Not this time.');

beforeEach(() => {
  answer('GET /api/profile', profile);
  answer('GET /api/content/my-scroll-feed', []);
  answer('GET /api/content/my-discovery', []);
  answer('GET /api/auth/passkeys', { passkeys: [], recoveryCodes: 0 });
  answer('GET /api/users/blocked', { members: [], nextCursor: null });
  answer('GET /api/takeout', { takeout: null });
});

const button = (name: string) => screen.findByRole('button', { name });
const section = async (heading: string) => {
  const found = (await screen.findByRole('heading', { name: heading })).closest('section');
  if (found === null) throw new Error(`${heading} heads nothing.`);
  return within(found);
};

test('the password is changed by the current one', async () => {
  const user = open('/profile?tab=settings');
  const form = within(await screen.findByRole('form', { name: 'Password' }));
  const submit = form.getByRole('button', { name: 'Change Password' });
  const [current, next] = [form.getByLabelText('Current Password'), form.getByLabelText('New Password')];
  await user.click(submit);
  expect(await form.findByText('All fields are required')).toBeVisible();
  await fill(user, current, 'wrong horse');
  await fill(user, next, 'short');
  await user.click(submit);
  expect(await form.findByText('Password must be at least 8 characters')).toBeVisible();

  await fill(user, next, 'a new password');
  answer('POST /api/auth/password', refusal(403, 'WRONG_PASSWORD', 'The current password is wrong.'));
  await user.click(submit);
  expect(await form.findByText('The current password is wrong.')).toBeVisible();
  expect(current).toHaveFocus();

  await fill(user, current, 'a quiet night sky');
  const sent = answer('POST /api/auth/password', { revokedApplications: ['Star Reader'] });
  await user.click(submit);
  expect(await toast('Password Changed')).toHaveTextContent('Your other devices have been signed out.');
  expect(next).toHaveValue('');
  expect(form.getByRole('status')).toHaveTextContent('These applications can no longer spend your Nova: Star Reader.');
  expect(sent.map(({ body }) => body)).toEqual([
    { currentPassword: 'a quiet night sky', newPassword: 'a new password' },
  ]);
});

test('editing is saved, or taken back, and stays while one looks at other tabs', async () => {
  const user = open('/profile');
  const figures = await screen.findByRole('complementary', { name: 'Your figures' });
  await waitFor(() => expect(figures).toHaveTextContent(/Rating5\.0Success Rate95%Avg Response2 minActivity/));

  await waitFor(async () => expect(await button('Edit Profile')).toBeEnabled());
  await user.click(await button('Edit Profile'));
  expect(screen.getByLabelText('Display Name')).toHaveFocus();
  await fill(user, screen.getByLabelText('Bio'), 'Never saved');
  await user.click(screen.getByRole('link', { name: 'Daily Quests' }));
  const asked = await screen.findByRole('alertdialog', { name: 'Leave without saving?' });
  expect(asked).toHaveTextContent('Your changes to your profile are not saved yet.');
  await user.click(await button('Keep editing'));
  expect(screen.getByLabelText('Bio')).toHaveValue('Never saved');
  const reload = new Event('beforeunload', { cancelable: true });
  expect(window.dispatchEvent(reload)).toBe(false);
  await user.click(await button('Cancel'));
  expect(await button('Edit Profile')).toHaveFocus();
  expect(screen.queryByText('Never saved')).toBeNull();
  await user.click(await button('Edit Profile'));
  expect(screen.getByLabelText('Bio')).toHaveValue('');

  await fill(user, screen.getByLabelText('Display Name'), '');
  await fill(user, screen.getByLabelText('Website'), 'javascript:alert(1)');
  await user.click(await button('Save'));
  expect(await screen.findByText('Please enter a display name.')).toBeVisible();
  expect(screen.getByText('Enter an address such as https://example.com')).toBeVisible();

  await fill(user, screen.getByLabelText('Display Name'), 'Countess Ada');
  await fill(user, screen.getByLabelText('Bio'), HOSTILE);
  await fill(user, screen.getByLabelText('Website'), 'www.example.com/ada');
  await user.click(screen.getByRole('tab', { name: 'Settings' }));
  expect(location.search).toBe('?tab=settings');
  await user.click(screen.getByRole('tab', { name: 'Content' }));
  expect(screen.getByLabelText('Display Name')).toHaveValue('Countess Ada');

  const saved = { ...profile, displayName: 'Countess Ada', bio: HOSTILE, website: 'https://www.example.com/ada' };
  const sent = answer('PATCH /api/profile', saved);
  answer('GET /api/profile', saved);
  answer('GET /api/auth/user', { user: { ...MEMBER, displayName: 'Countess Ada' } });
  await user.click(await button('Save'));
  expect(await toast('Profile Updated')).toBeVisible();
  await waitFor(async () => expect(await button('Edit Profile')).toHaveFocus());
  expect(sent).toHaveLength(1);
  expect(screen.getByRole('heading', { name: 'Countess Ada' })).toBeVisible();
  expect(screen.getByText(HOSTILE)).toBeVisible();
  const website = screen.getByRole('link', { name: /example\.com\/ada/ });
  expect(website).toHaveAttribute('href', 'https://www.example.com/ada');
  expect(website.getAttribute('rel')).toMatch(/nofollow noopener/);
  await user.click(await screen.findByRole('button', { name: /Account menu/ }));
  expect(await screen.findByRole('dialog', { name: 'Account menu' })).toHaveTextContent('Countess Ada');
});

test('settings are saved as they are changed', async () => {
  const user = open('/profile?tab=settings');
  const sent = answer('PATCH /api/profile/settings', {});
  await user.click(await screen.findByRole('switch', { name: 'Online Status' }));
  await user.click(screen.getByRole('switch', { name: 'Direct Chats' }));
  const price = () => screen.getByLabelText('Minimum Chat Price (USD)');
  await fill(user, price(), '0.3');
  await user.tab();
  expect(screen.getByText('The minimum chat price is at least $0.50.')).toBeVisible();
  await fill(user, price(), '2.5');
  await user.keyboard('{Enter}');
  expect(await screen.findByText(/A chat with you costs 3,125 Nova\./)).toBeVisible();
  await fill(user, price(), 'a lot');
  await user.tab();
  await waitFor(() => expect(price()).toHaveValue('1.00'));
  expect(sent.every(({ outlivesPage }) => outlivesPage)).toBe(true);
  expect(sent.map(({ body }) => body)).toEqual([
    { isOnline: false },
    { allowDirectChats: false },
    { minimumChatPrice: 2.5 },
    { minimumChatPrice: 1 },
  ]);
});

test('a setting whose saving was not answered is shown as the server has it', async () => {
  const user = open('/profile?tab=settings');
  const direct = await screen.findByRole('switch', { name: 'Direct Chats' });
  expect(direct).toBeChecked();
  answer('PATCH /api/profile/settings', lostAnswer());
  answer('GET /api/profile', { ...profile, allowDirectChats: false });
  await user.click(direct);
  expect(await toast('Settings Update Failed')).toHaveTextContent('Nova could not be reached.');
  await waitFor(() => expect(direct).not.toBeChecked());
});

test('whom one blocked is listed, and can be unblocked', async () => {
  const blocked = ['Ben', 'Wil'].map((name) => ({
    id: `member-${name}`,
    displayName: name,
    profileImageUrl: null,
    blockedAt: '2026-01-31T12:00:00.000Z',
  }));
  answer('GET /api/users/blocked', refusal(429, '', ''));
  const user = open('/profile?tab=settings');
  const card = await section('Blocked Members');
  expect(await card.findByRole('alert')).toHaveTextContent('The members whom you blocked could not be loaded.');
  answer('GET /api/users/blocked', { members: blocked, nextCursor: null });
  await user.click(card.getByRole('button', { name: 'Try again' }));
  expect(await card.findAllByRole('listitem')).toHaveLength(2);

  const unblocked = answer('DELETE /api/users/member-Ben/block', { message: 'This member is no longer blocked.' });
  answer('GET /api/users/blocked', { members: blocked.slice(1), nextCursor: null });
  await user.click(card.getByRole('button', { name: 'Unblock Ben' }));
  expect(await toast('This member is no longer blocked.')).toBeVisible();
  await waitFor(() => expect(card.getAllByRole('listitem')).toHaveLength(1));
  expect(unblocked).toHaveLength(1);
});

test('what is refused says so, and nothing that was typed is lost', async () => {
  answer('GET /api/content/my-discovery', [content('Mine')]);
  const user = open('/profile?tab=settings');
  answer('PATCH /api/profile/settings', refused());
  const direct = await screen.findByRole('switch', { name: 'Direct Chats' });
  await user.click(direct);
  expect(await toast('Settings Update Failed')).toHaveTextContent('Not this time.');
  expect(direct).toBeChecked();

  answer('PATCH /api/profile', refused());
  await user.click(await button('Edit Profile'));
  await fill(user, screen.getByLabelText('Bio'), 'Still here');
  await user.click(await button('Save'));
  expect(await toast('Update Failed')).toHaveTextContent('Not this time.');
  expect(screen.getByLabelText('Bio')).toHaveValue('Still here');
  await user.click(await button('Cancel'));

  await user.click(screen.getByRole('tab', { name: 'Content' }));
  answer('PUT /api/profile/card-content', refused());
  await user.click(await button('Set as Card: Mine'));
  expect(await toast('Update Failed')).toHaveTextContent('Not this time.');

  answer('DELETE /api/content/content-Mine', refused());
  await user.click(await button('Delete Mine'));
  await user.click(await button('Delete'));
  expect(await toast('Delete Failed')).toHaveTextContent('Not this time.');
  await user.click(await button('Keep it'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  answer('POST /api/auth/signout', refused());
  await user.click(await button('Sign Out'));
  expect(await toast('Sign Out Failed')).toHaveTextContent('Please try again.');
});

test('content whose deletion got no answer is gone when it is deleted again', async () => {
  answer('GET /api/content/my-scroll-feed', [content('Mine')]);
  const user = open('/profile');
  await user.click(await button('Delete Mine'));
  answer('DELETE /api/content/content-Mine', lostAnswer());
  await user.click(await button('Delete'));
  expect(await toast('Delete Failed')).toBeVisible();
  answer('DELETE /api/content/content-Mine', refusal(404, 'CONTENT_NOT_FOUND', 'There is no such content.'));
  answer('GET /api/content/my-scroll-feed', []);
  await waitFor(async () => expect(await button('Delete')).toBeEnabled());
  await user.click(await button('Delete'));
  expect(await toast('Content Deleted')).toBeVisible();
  expect(await screen.findByText('No posts yet')).toBeVisible();
});

test('an image that does not load is replaced', async () => {
  answer('GET /api/content/my-discovery', [content('Broken')]);
  open('/profile');
  const item = await screen.findByRole('listitem', { name: 'Broken' });
  fireEvent.error(item.querySelector('img') ?? item);
  await waitFor(() => expect(item).toHaveTextContent('Not available'));
});

test('a profile that does not load can be asked for again', async () => {
  answer('GET /api/profile', refusal(404, 'X', 'Not now.'));
  const user = open('/profile');
  expect(await screen.findByRole('alert')).toHaveTextContent('Not now.');
  answer('GET /api/profile', profile);
  await user.click(await button('Try again'));
  expect(await screen.findByRole('heading', { name: 'Ada' })).toBeVisible();
});

test('the ways from one’s profile lead where they say, and signing out to the landing screen', async () => {
  const user = open('/profile');
  for (const [name, path] of [
    ['Resonance', '/resonance'],
    ['Wallet & Transactions', '/wallet'],
    ['Daily Quests', '/quests'],
    ['Back to discovery', '/'],
  ] as const)
    expect(await screen.findByRole('link', { name })).toHaveAttribute('href', path);
  answer('POST /api/auth/signout', { message: 'Signed out.' });
  await user.click(await button('Sign Out'));
  expect(await button('ENTER')).toBeVisible();
});

test('the profile tab has the menu card, then one’s own card, figures and posts', async () => {
  answerCards(profileCard({ id: MEMBER.id, displayName: 'Ada', isOwn: true }));
  answer('GET /api/chats/mine', { chats: [] });
  answer('GET /api/chats/pending-requests', { requests: [] });
  answer('GET /api/content/my-scroll-feed', [content('Dawn')]);
  answer('GET /api/profile', { ...profile, completedChats: 7 });
  open('/?tab=profile');
  expect(await screen.findByRole('link', { name: /Buy Gifts.*Nova to give/ })).toHaveAttribute('href', '/wallet');
  expect(screen.getByRole('link', { name: /Send Gift.*to a member/ })).toHaveAttribute('href', '/gifts?send=1');
  expect(screen.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  const own = within(await screen.findByRole('region', { name: 'Your card' }));
  expect((await own.findAllByText('Ada'))[0]).toBeVisible();
  expect(await screen.findByText('Dawn')).toBeVisible();
  const figures = screen.getByRole('complementary', { name: 'Your figures' });
  await waitFor(() => expect(figures).toHaveTextContent('Completed Chats7'));
});
