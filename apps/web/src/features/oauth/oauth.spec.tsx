import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, fill, held, lostAnswer, MEMBER, open, pressPaid, refusal, signedOut, toast } from '@/testing/nova';

const application = {
  id: 'app-1',
  clientId: 'client-1',
  name: 'Pocket',
  description: null,
  logoUrl: null,
  applicationUrl: null,
  redirectUris: ['https://app.example/back'],
  scopes: ['openid', 'nova'],
  isActive: true,
  isPublic: false,
  requirePkce: false,
  deviceFlow: false,
  createdAt: '2026-01-31T12:00:00.000Z',
};
const clientInfo = {
  name: 'Pocket',
  description: null,
  logoUrl: null,
  applicationUrl: null,
  scopes: ['openid', 'email', 'nova'],
  owner: { displayName: 'Grace', memberSince: '2026-01-31T12:00:00.000Z' },
  dailyLimit: 5_000,
  isFirstConsent: true,
};

const testMembers = [
  { id: '7e577e57-7e57-8aaa-8aaa-aaaaaaaaaaa1', name: 'Test Ada', about: 'Has 12,500 Nova' },
  { id: '7e577e57-7e57-8aaa-8aaa-aaaaaaaaaaa2', name: 'Test Ben', about: 'Has 100 Nova' },
];
const testMode = {
  clientId: 'test_client-1',
  hasSecret: false,
  members: testMembers,
  events: 1_205,
  eventsMax: 10_000,
  resetsLeft: 2,
};

beforeEach(() => {
  answer('GET /api/oauth/my-applications', [application]);
  answer('GET /api/oauth/application/client-1/webhooks', { webhooks: [] });
  answer('GET /api/oauth/application/client-1/test-mode', testMode);
  answer('GET /api/oauth/application/test_client-1/webhooks', { webhooks: [] });
  answer('GET /api/oauth/application/client-1/secrets', { secrets: [] });
  answer('GET /api/oauth/application/client-1/members', { members: [], nextCursor: null });
  answer('GET /api/oauth/application/client-1/calls', { calls: [], nextCursor: null });
  answer('GET /api/content/feed', { posts: [], hasMore: false });
});

afterEach(() => void jest.restoreAllMocks());

const button = (name: string | RegExp) => screen.findByRole('button', { name });

test('funding with most of the balance is tried again when its answer got lost', async () => {
  const wallet = (balance: number) =>
    answer('GET /api/oauth/application/client-1/wallet', {
      balance,
      totals: { spent: 0, paid: 0, funded: balance, withdrawn: 0 },
    });
  const withBalance = (novaBalance: number) => answer('GET /api/auth/user', { user: { ...MEMBER, novaBalance } });
  wallet(0);
  withBalance(1_000);
  answer('GET /api/oauth/application/client-1/wallet/statement', { entries: [], nextCursor: null });
  const user = open('/developer/apps/client-1');
  await waitFor(async () => expect(await button('Fund')).toBeEnabled());
  await user.click(await button('Fund'));
  const dialog = await screen.findByRole('dialog', { name: 'Fund the application' });
  await fill(user, within(dialog).getByLabelText('Amount'), '1001');
  expect(within(dialog).getByRole('link', { name: 'Top Up' })).toHaveAttribute('href', '/wallet?topup=1');
  await user.clear(within(dialog).getByLabelText('Amount'));
  await fill(user, within(dialog).getByLabelText('Amount'), '600');
  expect(within(dialog).queryByRole('link', { name: 'Top Up' })).not.toBeInTheDocument();
  const moved = { message: 'Done.', balance: 600, novaBalance: 400, transactionId: 'row-1', projected: true };
  const replies = [() => lostAnswer(), () => moved];
  const sent = answer('POST /api/oauth/application/client-1/wallet/fund', () => replies.shift()?.() ?? null);
  wallet(600);
  withBalance(400);
  const fund = within(dialog).getByRole('button', { name: 'Fund 600 Nova' });
  await pressPaid(user, fund);
  await waitFor(() => expect(dialog).toHaveTextContent('There are 400.00 Nova in your wallet.'));
  expect(dialog).toHaveTextContent(/The application then has.*600\.00/);
  await pressPaid(user, fund);
  expect(await toast('Application Funded')).toBeVisible();
  expect(sent).toHaveLength(2);
  expect(sent[0]?.idempotencyKey).toMatch(/./);
  expect(sent[1]).toEqual(sent[0]);
});

test('a code that cannot be exchanged is refused in the box, and the member stays signed in', async () => {
  const user = open('/oauth/demo');
  await fill(user, await screen.findByLabelText('Client ID'), 'nobody');
  await fill(user, screen.getByLabelText('Redirect URI'), 'https://app.example/back');
  await user.click(screen.getByRole('checkbox', { name: 'It is a public client' }));
  const digest = held(null);
  const sha256 = crypto.subtle.digest.bind(crypto.subtle);
  jest.spyOn(crypto.subtle, 'digest').mockImplementation(async (...given) => {
    await digest.reply();
    return sha256(...given);
  });
  await user.click(await button('Generate Authorization URL'));
  await fill(user, await screen.findByLabelText('Authorization Code'), 'the-code');
  digest.letGo();
  await waitFor(async () => expect(await button('Exchange Code')).toBeEnabled());
  const invalid = { error: 'invalid_client', error_description: 'client authentication failed' };
  const sent = answer('POST /oauth/token', () => Response.json(invalid, { status: 401 }));
  await user.click(await button('Exchange Code'));
  expect(await screen.findByRole('alert')).toHaveTextContent('client authentication failed');
  expect(await button(/Account menu/)).toBeVisible();
  expect(sent[0]?.body).toContain('code=the-code');
});

test('the demo keeps its form over the redirect, and offers the exchange of the code that came back', async () => {
  const user = open('/oauth/demo');
  await fill(user, await screen.findByLabelText('Client ID'), 'client-1');
  await fill(user, screen.getByLabelText('Redirect URI'), `${location.origin}/oauth/demo`);
  await user.click(await button('Generate Authorization URL'));
  const again = open('/oauth/demo?code=the-code&state=demo_state_12345');
  expect(await screen.findByLabelText('Client ID')).toHaveValue('client-1');
  expect(screen.getByLabelText('Authorization Code')).toHaveValue('the-code');
  expect(await button('Exchange Code')).toBeDisabled();
  await fill(again, screen.getByLabelText('Client Secret'), 'the-secret');
  const sent = answer('POST /oauth/token', { access_token: 'token-1' });
  await again.click(await button('Exchange Code'));
  expect(await screen.findByText(/token-1/)).toBeVisible();
  expect(Object.fromEntries(new URLSearchParams(String(sent[0]?.body)))).toEqual({
    grant_type: 'authorization_code',
    code: 'the-code',
    redirect_uri: `${location.origin}/oauth/demo`,
    client_id: 'client-1',
    client_secret: 'the-secret',
  });
  expect(JSON.stringify(localStorage)).not.toContain('the-secret');
  open('/oauth/demo?code=the-code&state=another');
  expect(await screen.findByRole('alert')).toHaveTextContent('The state is not the one that was sent.');
  expect(screen.getByLabelText('Authorization Code')).toHaveValue('');
});

test('requests that lead nowhere are refused on the screen', async () => {
  open('/oauth/consent?client_id=only');
  expect(await screen.findByRole('heading', { name: 'Invalid Request' })).toBeVisible();
  expect(screen.getByText(/Missing required OAuth parameters\./)).toBeVisible();
  answer('GET /api/oauth/client-info/nobody', refusal(404, 'NO', 'There is no such application.'));
  const user = open('/oauth/consent?client_id=nobody&redirect_uri=https%3A%2F%2Fapp.example');
  expect(await screen.findByRole('heading', { name: 'Application Not Found' })).toBeVisible();
  expect(screen.getByText(/This may be a security risk\./)).toBeVisible();
  answer('GET /api/status-bar', refusal(404, 'X', 'Not this.'));
  await user.click(screen.getByRole('link', { name: 'Return to Feed' }));
  await waitFor(() => expect(location.pathname).toBe('/feed'));
});

test('only what is known is asked about, outside the shell', async () => {
  answer('GET /api/oauth/client-info/client-1', clientInfo);
  open('/oauth/consent?client_id=client-1&redirect_uri=https%3A%2F%2Fapp.example&scope=openid+email+made-up&state=s');
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(
    'Pocket wants to access your Nova account',
  );
  expect(screen.getAllByRole('checkbox')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: /Account menu/ })).toBeNull();
});

const DEVICE = { user_code: 'BCDF-GHJK', client_id: 'client-1', scopes: ['openid', 'email'] };

test('a device is let in by its code, with a warning, and for what the member ticked alone', async () => {
  answer('GET /api/oauth/client-info/client-1', clientInfo);
  const asked = answer('POST /api/oauth/device', DEVICE);
  const decided = answer('POST /api/oauth/device/decision', { message: 'Done.' });
  const user = open('/device');
  await fill(user, await screen.findByLabelText('Code on the device'), 'bcdfghjk');
  await user.click(await button('Continue'));
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Pocket wants to sign in on a device');
  expect(asked[0]?.body).toEqual({ user_code: 'bcdfghjk' });
  expect(screen.getByText('BCDF-GHJK')).toBeVisible();
  expect(screen.getByText(/If somebody sent you the code, deny/)).toBeVisible();
  expect(screen.getByText(/Run by/)).toHaveTextContent('Grace');
  expect(screen.getByRole('checkbox', { name: /Basic Identity/ })).toBeDisabled();
  expect(screen.getByRole('checkbox', { name: 'Email Address' })).not.toBeChecked();
  expect(screen.queryByRole('checkbox', { name: /Nova Balance/ })).toBeNull();
  await user.click(screen.getByRole('checkbox', { name: 'Email Address' }));
  await user.click(await button('Connect Device'));
  expect(await screen.findByRole('heading', { name: 'Device Connected' })).toBeVisible();
  expect(decided[0]?.body).toEqual({
    user_code: 'BCDF-GHJK',
    client_id: 'client-1',
    approved: true,
    scopes: ['openid', 'email'],
  });
});

test('a link brings the code along, and the member still looks at it; a wrong one says so', async () => {
  answer('GET /api/oauth/client-info/client-1', clientInfo);
  const replies = [() => refusal(404, 'DEVICE_CODE_NOT_FOUND', 'No device shows this code.'), () => DEVICE];
  answer('POST /api/oauth/device', () => replies.shift()?.() ?? null);
  const decided = answer('POST /api/oauth/device/decision', { message: 'Done.' });
  const user = open('/device?user_code=BCDF-GHJK');
  expect(await screen.findByLabelText('Code on the device')).toHaveValue('BCDF-GHJK');
  await user.click(await button('Continue'));
  expect(await screen.findByRole('alert')).toHaveTextContent('No device shows this code.');
  await user.click(await button('Continue'));
  await user.click(await button('Deny Access'));
  expect(await screen.findByRole('heading', { name: 'Access Denied' })).toBeVisible();
  expect(decided[0]?.body).toMatchObject({ approved: false, scopes: [] });
});

test('the portal shows the test client beside the live one, makes its secret and resets its data', async () => {
  answer('GET /api/oauth/application/client-1/wallet', {
    balance: 0,
    totals: { spent: 0, paid: 0, funded: 0, withdrawn: 0 },
  });
  answer('GET /api/oauth/application/client-1/wallet/statement', { entries: [], nextCursor: null });
  const user = open('/developer/apps/client-1');
  expect(await screen.findByText('test_client-1')).toBeVisible();
  expect(screen.getByText('client-1')).toBeVisible();
  const members = screen.getByRole('list', { name: 'Test members' });
  expect(within(members).getAllByRole('listitem')).toHaveLength(2);
  expect(screen.getByText('1,205 of 10,000 events of test data')).toBeVisible();
  answer('POST /api/oauth/application/client-1/test-mode/secret', { clientSecret: 'nova_secret_test' });
  await user.click(await button('Make Test Secret'));
  const secret = await screen.findByRole('dialog', { name: 'Test Secret Generated' });
  expect(secret).toHaveTextContent('nova_secret_test');
  await user.click(within(secret).getByRole('button', { name: "I've Saved the Secret" }));
  const anew = { ...testMode, hasSecret: true, events: 0, resetsLeft: 0 };
  answer('POST /api/oauth/application/client-1/test-mode/reset', anew);
  answer('GET /api/oauth/application/client-1/test-mode', anew);
  await user.click(await button('Reset Test Data'));
  const asked = await screen.findByRole('dialog', { name: 'Reset the test data?' });
  await user.click(within(asked).getByRole('button', { name: 'Reset Test Data' }));
  expect(await toast('Test Data Reset')).toBeVisible();
  expect(await screen.findByText('0 of 10,000 events of test data')).toBeVisible();
  expect(await button('Reset again tomorrow')).toBeDisabled();
});

const TEST_REQUEST = 'client_id=test_client-1&redirect_uri=https%3A%2F%2Fapp.example%2Fback&scope=openid+nova&state=s1';

test('in test mode a made-up member is chosen, and nobody needs to be signed in', async () => {
  answer('GET /api/auth/user', signedOut);
  answer('GET /api/oauth/test-consent/test_client-1', {
    name: 'Pocket',
    logoUrl: null,
    scopes: ['openid', 'nova'],
    dailyLimit: 5_000,
    members: testMembers,
  });
  const sent = answer('POST /api/oauth/test-consent', () =>
    refusal(400, 'INVALID_MEMBER', 'This is none of the made-up members.'),
  );
  const user = open(`/oauth/consent/test?${TEST_REQUEST}`);
  expect(await screen.findByRole('heading', { name: 'Sign in to Pocket as a made-up member' })).toBeVisible();
  expect(screen.getByText('Test mode')).toBeVisible();
  expect(screen.getByRole('radio', { name: /Test Ada/ })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: /Test Ben/ }));
  await user.click(await button('Sign In to Test'));
  expect(await toast('Sign-In Failed')).toBeVisible();
  expect(sent[0]?.body).toMatchObject({
    client_id: 'test_client-1',
    state: 's1',
    member: testMembers[1]?.id,
    approved: true,
    scopes: ['openid', 'nova'],
    dailyLimit: 5_000,
  });
});

test('an unknown test client is said to be unknown', async () => {
  answer('GET /api/oauth/test-consent/test_client-1', () =>
    refusal(404, 'APPLICATION_NOT_FOUND', 'This application was not found.'),
  );
  open(`/oauth/consent/test?${TEST_REQUEST}`);
  expect(await screen.findByRole('heading', { name: 'Application Not Found' })).toBeVisible();
});
