import { afterEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, frames, lostAnswer, MEMBER, open, PUSH, refusal, tell, toast } from '@/testing/nova';

const notice = (given: { id: string; [field: string]: unknown }) => ({
  kind: 'gift_received',
  title: 'Gift received',
  text: 'Ann <b> sent you a gift. 500 Nova are yours.',
  path: '/gifts',
  createdAt: '2026-01-31T12:00:00.000Z',
  isRead: false,
  ...given,
});

const bell = (name: string | RegExp) => screen.findByRole('button', { name });
const connected = () => waitFor(() => expect(frames.length).toBeGreaterThan(0));

test('the bell counts what is unread, lists what happened, and what was shown is read once it closes', async () => {
  answer('GET /api/notices/unread', { unread: 2 });
  answer('GET /api/notices', { notices: [notice({ id: 'n2' }), notice({ id: 'n1', kind: 'new_kind', isRead: true })] });
  const read = answer('POST /api/notices/read', { unread: 0 });
  const user = open('/nowhere');
  await user.click(await bell('Notices 2 unread'));
  const list = within(await screen.findByRole('dialog', { name: 'Notices' }));
  const [newest, older] = await list.findAllByRole('link', { name: /Gift received/ });
  expect(newest).toHaveTextContent('Ann <b> sent you a gift. 500 Nova are yours.');
  expect(newest).toHaveTextContent('Unread');
  expect(older).not.toHaveTextContent('Unread');
  expect(newest).toHaveAttribute('href', '/gifts');
  expect(read).toEqual([]);
  answer('GET /api/notices/unread', { unread: 0 });
  await user.keyboard('{Escape}');
  await bell('Notices');
  expect(read).toMatchObject([{ body: { newestId: 'n2' } }]);
});

test('news come at once, also of what was read elsewhere', async () => {
  open('/nowhere');
  await bell('Notices');
  await connected();
  answer('GET /api/notices/unread', { unread: 120 });
  tell({ type: 'notices_changed' });
  await bell('Notices 99+ unread');
  answer('GET /api/notices/unread', { unread: 0 });
  tell({ type: 'notices_changed' });
  await bell('Notices');
});

test('who opens the list has heard: no toast lies over it', async () => {
  answer('GET /api/notices', { notices: [notice({ id: 'n1' })] });
  const user = open('/nowhere');
  await connected();
  tell({ type: 'gift_received', senderName: 'Ann', amount: 1_000, recipientShare: 500 });
  const told = await toast('Gift received');
  await user.click(await bell(/^Notices/));
  await waitFor(() => expect(told).not.toBeInTheDocument());
});

test('an empty list says what belongs there, and a failed one can be tried again', async () => {
  answer('GET /api/notices', refusal(400, 'NO', 'Not now.'));
  const user = open('/nowhere');
  await user.click(await bell('Notices'));
  expect(await screen.findByText('Not now.')).toBeVisible();
  answer('GET /api/notices', { notices: [] });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Nothing yet')).toBeVisible();
});

const profile = {
  id: MEMBER.id,
  displayName: 'Ada',
  email: MEMBER.email,
  bio: null,
  location: null,
  website: null,
  profileImageUrl: null,
  profileCardThumbnailUrl: null,
  profileCardContent: null,
  profileCardContentId: null,
  isOnline: true,
  allowDirectChats: false,
  minimumChatPrice: 1,
  averageRating: 5,
  ratingCount: 0,
  successRate: 95,
  responseTimeMinutes: 2,
  completedChats: 0,
  totalEarnings: 0,
};

function openSettings() {
  answer('GET /api/profile', profile);
  answer('GET /api/auth/passkeys', { passkeys: [], recoveryCodes: 0 });
  answer('GET /api/users/blocked', { members: [], nextCursor: null });
  answer('GET /api/takeout', { takeout: null });
  return open('/profile?tab=settings');
}

const SUBSCRIPTION = { endpoint: 'https://push.example.net/1', keys: { p256dh: 'key', auth: 'secret' } };
const given: (() => void)[] = [];

/** A browser that can be notified; the member answers its question so. */
function canNotify(
  permission: NotificationPermission,
  answered: NotificationPermission = permission,
): { asked: number } {
  const state = { asked: 0 };
  const define = (target: object, name: string, value: unknown) => {
    Object.defineProperty(target, name, { value, configurable: true });
    given.push(() => Reflect.deleteProperty(target, name));
  };
  const requestPermission = () => {
    state.asked += 1;
    return Promise.resolve(answered);
  };
  const subscription = { options: {}, toJSON: () => SUBSCRIPTION, unsubscribe: () => Promise.resolve(true) };
  const pushManager = {
    getSubscription: () => Promise.resolve(null),
    subscribe: () => Promise.resolve(subscription),
  };
  define(window, 'PushManager', () => undefined);
  define(window, 'Notification', { permission, requestPermission });
  define(navigator, 'serviceWorker', {
    register: () => Promise.resolve({ pushManager }),
    getRegistration: () => Promise.resolve(undefined),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  return state;
}
afterEach(() => {
  for (const takeBack of given.splice(0)) takeBack();
});

test('a browser that cannot be notified says so, and what others tell can be chosen', async () => {
  const chosen = answer('PUT /api/push', PUSH);
  const user = openSettings();
  expect(await screen.findByText('This browser cannot show notifications.')).toBeVisible();
  await user.click(screen.getByRole('switch', { name: 'Gifts' }));
  const { kinds, showsText, mails, quietHours } = PUSH;
  const choices = { kinds, showsText, mails, quietHours };
  await waitFor(() => expect(chosen).toHaveLength(1));
  expect(chosen[0]?.body).toEqual({ ...choices, kinds: kinds.filter((kind) => kind !== 'gift') });
  await user.click(screen.getByRole('switch', { name: 'Quiet Hours' }));
  await waitFor(() => expect(chosen).toHaveLength(2));
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(chosen[1]).toMatchObject({
    body: { quietHours: { from: 22 * 60, to: 7 * 60, timeZone } },
    outlivesPage: true,
  });
});

test('a choice that the server refuses goes back', async () => {
  answer('PUT /api/push', refusal(409, 'NO', 'Not this time.'));
  const user = openSettings();
  const names = await screen.findByRole('switch', { name: 'Names and Texts' });
  await user.click(names);
  expect(await toast('Not this time.')).toBeVisible();
  expect(names).not.toBeChecked();
});

test('turning direct chats on offers notifications, which the browser asks about at that click alone', async () => {
  const state = canNotify('default', 'granted');
  answer('PATCH /api/profile/settings', { ...profile, allowDirectChats: true });
  const subscribed = answer('POST /api/push/subscription', { ...PUSH, browsers: 1, here: true });
  const user = openSettings();
  await user.click(await screen.findByRole('switch', { name: 'Direct Chats' }));
  const offer = await toast('Direct chats are on');
  expect(state.asked).toBe(0);
  await user.click(within(offer).getByRole('button', { name: 'Notify Me' }));
  expect(await toast('Notifications are on')).toBeVisible();
  expect(state.asked).toBe(1);
  expect(subscribed).toMatchObject([{ body: SUBSCRIPTION }]);
  expect(await screen.findByText('On in this browser')).toBeVisible();
});

test('a member who says no is told how to change their mind, and nothing is sent', async () => {
  canNotify('default', 'denied');
  const user = openSettings();
  await user.click(await screen.findByRole('button', { name: 'Turn On' }));
  expect(await toast('Notifications stay off')).toBeVisible();
});

test('notifications that are on can be turned off here, and a lost answer leaves them on', async () => {
  canNotify('granted');
  answer('GET /api/push', { ...PUSH, browsers: 2, here: true });
  answer('DELETE /api/push/subscription', lostAnswer);
  const user = openSettings();
  const off = await screen.findByRole('button', { name: 'Turn Off' });
  await user.click(off);
  expect(await toast('Notifications could not be turned off')).toBeVisible();
  expect(screen.getByText('On in this browser')).toBeVisible();
  answer('DELETE /api/push/subscription', { ...PUSH, browsers: 1 });
  await user.click(off);
  expect(await screen.findByText('Off in this browser')).toBeVisible();
  expect(screen.getByText('One other browser of yours gets them.')).toBeVisible();
});
