import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, fill, open, refusal } from '@/testing/nova';

const PATH = '/api/oauth/application/client-1';
const application = {
  id: 'client-1',
  clientId: 'client-1',
  name: 'Pocket',
  description: null,
  logoUrl: null,
  applicationUrl: null,
  redirectUris: ['https://app.example/back'],
  scopes: ['openid', 'nova'],
  isActive: true,
  isPublic: false,
  createdAt: '2026-01-31T12:00:00.000Z',
};
const first = { id: 'secret-1', name: 'Secret', createdAt: null, lastUsedAt: null };
const second = {
  id: 'secret-2',
  name: '<b>Vienna</b>',
  createdAt: '2026-01-31T12:00:00.000Z',
  lastUsedAt: '2026-01-31T12:34:00.000Z',
};
const call = {
  id: '7',
  livemode: true,
  at: '2026-01-31T12:00:00.000Z',
  method: 'GET',
  route: '/api/tokens/wallet',
  status: 200,
  code: null,
  durationMs: 12.5,
  credential: 'token',
  secretName: 'Secret',
  requestId: 'request-7',
  leftOut: 0,
};

const testMode = {
  clientId: 'test_client-1',
  hasSecret: false,
  members: [],
  events: 1_205,
  eventsMax: 10_000,
  resetsLeft: 2,
};

beforeEach(() => {
  answer('GET /api/oauth/my-applications', [application]);
  answer(`GET ${PATH}/wallet`, { balance: 0, totals: { spent: 0, paid: 0, funded: 0, withdrawn: 0 } });
  answer(`GET ${PATH}/wallet/statement`, { entries: [], nextCursor: null });
  answer(`GET ${PATH}/webhooks`, { webhooks: [] });
  answer(`GET ${PATH}/test-mode`, testMode);
  answer('GET /api/oauth/application/test_client-1/webhooks', { webhooks: [] });
  answer(`GET ${PATH}/secrets`, { secrets: [first] });
  answer(`GET ${PATH}/members`, { members: [], nextCursor: null });
  answer(`GET ${PATH}/calls`, { calls: [], nextCursor: null });
});

const page = () => open('/developer/apps/client-1');
const secrets = () => screen.findByRole('list', { name: 'Client secrets' });

test('a second secret is made under a name and shown once, and then one of them can be revoked', async () => {
  const user = page();
  expect(await secrets()).toHaveTextContent('Made before secrets had names · not used yet');
  expect(within(await secrets()).queryByRole('button')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Add Secret' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add Secret' });
  const submit = within(dialog).getByRole('button', { name: 'Add Secret' });
  expect(submit).toBeDisabled();
  await fill(user, within(dialog).getByLabelText('Name'), '  <b>Vienna</b> ');
  answer(`POST ${PATH}/secrets`, refusal(409, 'SECRET_LIMIT', 'The application has 2 secrets, the maximum.'));
  await user.click(submit);
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('2 secrets, the maximum');
  const sent = answer(`POST ${PATH}/secrets`, { ...second, clientSecret: 'nova_secret_new' });
  answer(`GET ${PATH}/secrets`, { secrets: [first, second] });
  await user.click(submit);
  const shown = await screen.findByRole('dialog', { name: 'Client Secret Generated' });
  expect(shown).toHaveTextContent('nova_secret_new');
  expect(sent[0]?.body).toEqual({ name: '<b>Vienna</b>' });
  await user.click(within(shown).getByRole('button', { name: "I've Saved the Secret" }));
  expect(document.body).not.toHaveTextContent('nova_secret_new');
  expect(await secrets()).toHaveTextContent('<b>Vienna</b>');
  expect(screen.getByRole('button', { name: 'Add Secret' })).toBeDisabled();

  await user.click(within(await secrets()).getByRole('button', { name: 'Revoke Secret' }));
  const question = await screen.findByRole('dialog', { name: 'Revoke the secret?' });
  expect(question).toHaveTextContent('Secret');
  const revoked = answer(`DELETE ${PATH}/secrets/secret-1`, null);
  answer(`GET ${PATH}/secrets`, { secrets: [second] });
  await user.click(within(question).getByRole('button', { name: 'Revoke Secret' }));
  await waitFor(() => expect(revoked).toHaveLength(1));
  await waitFor(async () => expect(within(await secrets()).getAllByRole('listitem')).toHaveLength(1));
});

test('a public application has no secrets', async () => {
  answer('GET /api/oauth/my-applications', [{ ...application, isPublic: true }]);
  page();
  expect(await screen.findByText('No calls yet')).toBeVisible();
  expect(screen.queryByText('Client Secrets')).toBeNull();
});

test('calls say what was called, how it ended, what proved it, and how many are missing', async () => {
  const refused = {
    ...call,
    id: '6',
    method: 'POST',
    route: '/oauth/token',
    status: 400,
    code: 'invalid_grant',
    credential: 'secret',
    leftOut: 1_234,
  };
  const ofMember = {
    ...call,
    id: '5',
    livemode: false,
    route: '/api/oauth/token-balances',
    credential: 'member_token',
    secretName: null,
  };
  answer(`GET ${PATH}/calls`, { calls: [call, refused, ofMember], nextCursor: 'more' });
  const user = page();
  const list = await screen.findByRole('list', { name: 'Calls' });
  const rows = within(list).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent(/GET \/api\/tokens\/wallet.*200.*12.5 ms · a token for “Secret”.*request-7/);
  expect(rows[1]).toHaveTextContent(/POST \/oauth\/token.*400 invalid_grant.*“Secret”.*1,234 more calls/);
  expect(rows[2]).toHaveTextContent(/Test.*a member’s token/);
  for (const row of rows.slice(0, 2)) expect(row).not.toHaveTextContent('Test');
  answer(`GET ${PATH}/calls`, { calls: [{ ...call, id: '4' }], nextCursor: null });
  await user.click(screen.getByRole('button', { name: /more/i }));
  await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(4));
});

test('members who consented are shown by id, with scopes and limit', async () => {
  const since = '2026-01-31T12:00:00.000Z';
  answer(`GET ${PATH}/members`, {
    members: [
      { userId: 'member-1', scopes: ['openid', 'nova'], since, dailyLimit: 50 },
      { userId: 'member-2', scopes: ['openid'], since, dailyLimit: null },
    ],
    nextCursor: null,
  });
  page();
  const list = await screen.findByRole('list', { name: 'Members Who Consented' });
  const [one, two] = within(list).getAllByText(/^member-/);
  expect(one?.parentElement).toHaveTextContent(/member-1.*Since.*at most.*50.*a day/);
  expect(two?.parentElement).not.toHaveTextContent('at most');
});

test('a list that could not be loaded says so', async () => {
  answer(`GET ${PATH}/calls`, refusal(503, 'BUSY', 'The server is busy right now. Please try again.'));
  page();
  expect(await screen.findByText(/busy right now/, undefined, { timeout: 10_000 })).toBeVisible();
});
