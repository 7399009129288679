import { DEVICE_LIMIT_TEXT } from '@app/domain';
import { beforeEach, expect, test } from '@jest/globals';
import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react/pure';
import { answer, endSession, fill, held, lostAnswer, MEMBER, open, refusal, signedOut, toast } from '@/testing/nova';

const PASSWORD = 'a quiet night sky';

const device = {
  id: 'device-1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0',
  createdAt: '2026-01-31T12:00:00.000Z',
};
const devices = (...listed: object[]) => ({ devices: listed, count: listed.length, limit: 10 });

beforeEach(() => void answer('GET /api/auth/user', signedOut));

const button = (name: string | RegExp) => screen.findByRole('button', { name });

/** The auth card behind ENTER, in the given mode. */
async function openCard(mode: 'register' | 'sign in', path = '/') {
  const user = open(path);
  await user.click(await button('ENTER'));
  if (mode === 'sign in') await user.click(await button('Already have an account? Sign in'));
  await button(mode === 'register' ? 'Create Account' : 'Sign In');
  return user;
}

async function signIn(user: ReturnType<typeof open>, password = PASSWORD) {
  await fill(user, screen.getByLabelText('Email'), MEMBER.email);
  await fill(user, screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('checkbox', { name: /Terms/ }));
  await user.click(await button('Sign In'));
}

async function register(user: ReturnType<typeof open>) {
  await fill(user, screen.getByLabelText('Display Name'), 'Ada');
  await fill(user, screen.getByLabelText('Email'), MEMBER.email);
  await fill(user, screen.getByLabelText('Password'), PASSWORD);
  await fill(user, screen.getByLabelText('Recovery PIN'), '4711');
  await user.click(screen.getByRole('checkbox', { name: /Terms/ }));
  await user.click(await button('Create Account'));
}

/** The dialog that removes devices, with the credentials filled in. */
async function openDevices(user: ReturnType<typeof open>) {
  await user.click(await button('Too many devices? Manage devices'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Device Management' }));
  await user.click(dialog.getByRole('button', { name: 'View My Devices' }));
  expect(await dialog.findByText('Email and password are required')).toBeVisible();
  await fill(user, dialog.getByLabelText('Email'), MEMBER.email);
  await fill(user, dialog.getByLabelText('Password'), PASSWORD);
  await user.click(dialog.getByRole('button', { name: 'View My Devices' }));
  return dialog;
}

test('signing in opens the page asked for', async () => {
  const user = await openCard('sign in', '/no/such/page');
  const sent = answer('POST /api/auth/signin', { user: MEMBER });
  answer('GET /api/auth/user', { user: MEMBER });
  await signIn(user);
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { email: MEMBER.email, password: PASSWORD, tcConsent: true, tcVersion: '1.0' },
  ]);
});

test('the page is opened once it can be read, though the first look after registering failed', async () => {
  const user = await openCard('register', '/no/such/page');
  answer('POST /api/auth/register', { user: MEMBER });
  answer('GET /api/auth/user', new Response('', { status: 429 }));
  await register(user);
  expect(await screen.findByRole('heading', { name: 'Something went wrong' })).toBeVisible();
  expect(screen.getByText('Too many requests. Wait a moment and try again.')).toBeVisible();
  answer('GET /api/auth/user', { user: MEMBER });
  await user.click(await button('Try again'));
  expect(await button(/Account menu/)).toBeVisible();
});

test('who signed out is told so, even when other news of it came first', async () => {
  answer('GET /api/auth/user', { user: MEMBER });
  const user = open('/no/such/page');
  const signOut = held({ message: 'Signed out.' });
  answer('POST /api/auth/signout', signOut.reply);
  await user.click(await button(/Account menu/));
  await user.click(await button('Sign Out'));
  answer('GET /api/auth/user', signedOut);
  await endSession();
  expect(await button('ENTER')).toBeVisible();
  expect(screen.queryByText('Session ended')).toBeNull();
  signOut.letGo();
  expect(await toast('Signed out')).toBeVisible();
  // It would lie over the card's title.
  await user.click(await button('ENTER'));
  await waitFor(() => expect(document.querySelector('[data-sonner-toast][data-visible="true"]')).toBeNull());
});

test('registration refuses what its rules refuse, each with its sentence', async () => {
  const user = await openCard('register');
  const sent = answer('POST /api/auth/register', { user: MEMBER });
  await user.click(await button('Create Account'));
  expect(await screen.findByText('You must accept the Terms & Conditions to continue.')).toBeVisible();
  expect(screen.getByText('All fields are required')).toBeVisible();
  const pin = screen.getByLabelText('Recovery PIN');
  await user.type(pin, '1a2b3');
  expect(pin).toHaveValue('123');
  await user.tab();
  expect(await screen.findByText('PIN must be 4-6 digits')).toBeVisible();
  expect(sent).toEqual([]);
});

for (const [mode, email, password] of [
  ['register', 'email', 'new-password'],
  ['sign in', 'username', 'current-password'],
] as const) {
  test(`passwords are masked, named for password managers, and can be pasted: ${mode}`, async () => {
    await openCard(mode);
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', email);
    const field = screen.getByLabelText('Password');
    expect(field).toHaveAttribute('type', 'password');
    expect(field).toHaveAttribute('autocomplete', password);
    const paste = createEvent.paste(field);
    fireEvent(field, paste);
    expect(paste.defaultPrevented).toBe(false);
    if (mode === 'register') expect(screen.getByLabelText('Recovery PIN')).toHaveAttribute('type', 'password');
  });
}

test('a wrong password is refused with the server’s sentence', async () => {
  const user = await openCard('sign in');
  answer('POST /api/auth/signin', refusal(401, 'INVALID_CREDENTIALS', 'Invalid email or password'));
  await signIn(user, 'not the password');
  expect(await toast('Error')).toHaveTextContent('Invalid email or password');
  await waitFor(async () => expect(await button('Sign In')).toBeEnabled());
});

test('the landing screen is at every path for whoever is signed out', async () => {
  for (const path of ['/', '/wallet', '/gifts', '/admin', '/no/such/page']) {
    open(path);
    expect(await button('ENTER')).toBeVisible();
  }
});

test('the choice about cookies is kept', async () => {
  const user = open('/', { hasChosenCookies: false });
  const notice = await screen.findByRole('complementary', { name: 'Cookie notice' });
  expect(notice).toHaveTextContent('not sold');
  await user.click(within(notice).getByRole('button', { name: 'Decline Optional' }));
  expect(notice).not.toBeInTheDocument();
  open('/', { hasChosenCookies: false });
  await button('ENTER');
  expect(screen.queryByRole('complementary', { name: 'Cookie notice' })).toBeNull();
});

test('devices are managed before signing in', async () => {
  const user = await openCard('sign in');
  const asked = answer('POST /api/devices/by-email', devices(device));
  const dialog = await openDevices(user);
  expect(await dialog.findByText('1 / 10')).toBeVisible();
  answer('POST /api/devices/by-email', devices());
  const removed = answer('DELETE /api/devices/device-1', { message: 'Removed.' });
  await user.click(dialog.getByRole('button', { name: /^Remove/ }));
  expect(await toast('The device has been removed successfully.')).toBeVisible();
  expect(await dialog.findByText('0 / 10')).toBeVisible();
  expect([...asked, ...removed].map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({ email: MEMBER.email, password: PASSWORD })),
  );
  await user.click(dialog.getByRole('button', { name: 'Done - Sign In' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await button('Sign In')).toBeVisible();
  expect(screen.getByLabelText('Email')).toHaveValue(MEMBER.email);
});

test('a device whose removal was not answered is found removed', async () => {
  const user = await openCard('sign in');
  answer('POST /api/devices/by-email', devices(device));
  const dialog = await openDevices(user);
  answer('DELETE /api/devices/device-1', lostAnswer());
  await user.click(await dialog.findByRole('button', { name: /^Remove/ }));
  expect(await dialog.findByText(/^Nova could not be reached\./)).toBeVisible();
  answer('DELETE /api/devices/device-1', refusal(404, 'DEVICE_NOT_FOUND', 'There is no such device.'));
  answer('POST /api/devices/by-email', devices());
  await user.click(dialog.getByRole('button', { name: /^Remove/ }));
  expect(await toast('The device has been removed successfully.')).toBeVisible();
  expect(await dialog.findByText('0 / 10')).toBeVisible();
});

test('where there are ten devices already, one has to be removed first', async () => {
  const user = await openCard('sign in');
  answer('POST /api/auth/signin', refusal(403, 'DEVICE_LIMIT', `${DEVICE_LIMIT_TEXT} (10).`));
  await signIn(user);
  expect(await toast('Device Limit Reached')).toHaveTextContent(
    'You have too many devices registered. Please remove some devices first.',
  );
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }));
  await waitFor(async () => expect(await button('Sign In')).toHaveFocus());
  expect(screen.getByRole('checkbox', { name: /Terms/ })).toBeChecked();
});

test('the recovery PIN sets a new password', async () => {
  const user = await openCard('sign in');
  await user.click(await button('Forgot your password?'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set a New Password' }));
  await fill(user, dialog.getByLabelText('Email'), MEMBER.email);
  await fill(user, dialog.getByLabelText('Recovery PIN'), '9999');
  await fill(user, dialog.getByLabelText('New Password'), 'another quiet sky');
  answer('POST /api/auth/recover', refusal(401, 'INVALID_CREDENTIALS', 'Invalid email or password'));
  await user.click(dialog.getByRole('button', { name: 'Set New Password' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent('The email address or the PIN is wrong.');

  await fill(user, dialog.getByLabelText('Recovery PIN'), '4711');
  const recovery = held({ message: 'Done.' });
  const sent = answer('POST /api/auth/recover', recovery.reply);
  await user.click(dialog.getByRole('button', { name: 'Set New Password' }));
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBeVisible();
  recovery.letGo();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.map(({ body }) => body)).toEqual([
    { email: MEMBER.email, pin: '4711', newPassword: 'another quiet sky' },
  ]);
  expect(screen.getByLabelText('Email')).toHaveValue(MEMBER.email);
  await waitFor(async () => expect(await button('Forgot your password?')).toHaveFocus());
});

test('a security notice is gone at “Got It”, though an older answer comes later or the page closes', async () => {
  const id = '0193e5a0-0000-7000-8000-000000000001';
  const notice = {
    id,
    kind: 'password-reset',
    message: 'Your password was reset by mail.',
    createdAt: device.createdAt,
  };
  answer('GET /api/auth/user', { user: MEMBER });
  answer('GET /api/auth/security-notices', { notices: [{ ...notice, isUnseen: true }] });
  const user = open('/nexus');
  const gotIt = await button('Got It');
  const before = held({ notices: [{ ...notice, isUnseen: true }] });
  const asked = answer('GET /api/auth/security-notices', before.reply);
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(asked).toHaveLength(1));
  const seen = held({ message: 'Seen.' });
  const sent = answer('POST /api/auth/security-notices/seen', seen.reply);
  await user.click(gotIt);
  before.letGo();
  await waitFor(() => expect(sent).toMatchObject([{ body: { newestId: id }, outlivesPage: true }]));
  expect(screen.queryByRole('region', { name: 'Security notices' })).toBeNull();
  answer('GET /api/auth/security-notices', { notices: [{ ...notice, isUnseen: false }] });
  seen.letGo();
});

test('the Terms are shown to anyone', async () => {
  open('/terms');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(/Terms/);
});

test('members are told where there is nothing, and where they may not go', async () => {
  answer('GET /api/auth/user', { user: MEMBER });
  open('/no/such/page');
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  open('/admin');
  expect(await screen.findByText('Admin privileges required to access this page.')).toBeVisible();
});
