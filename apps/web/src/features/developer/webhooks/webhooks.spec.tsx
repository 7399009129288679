import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react/pure';
import { answer, fill, open, refusal } from '@/testing/nova';

const PATH = '/api/oauth/application/client-1/webhooks';
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
  createdAt: '2026-01-31T12:00:00.000Z',
};
const webhook = {
  id: 'hook-1',
  url: 'https://app.example/nova',
  events: ['tokens.spent'],
  isOn: true,
  offReason: null,
  offAt: null,
  failingSince: null,
  previousUntil: null,
  lastSequence: 2,
  dropped: 0,
  droppedAt: null,
  createdAt: '2026-01-31T12:00:00.000Z',
};
const failed = {
  id: 'delivery-1',
  sequence: 1,
  type: 'tokens.spent',
  body: '{"type":"tokens.spent","sequence":1}',
  status: 'waiting',
  nextAt: '2026-01-31T13:00:00.000Z',
  attempts: [
    { at: '2026-01-31T12:00:00.000Z', ms: 12, status: 500, answer: '<b>not now</b>' },
    { at: '2026-01-31T12:00:05.000Z', ms: 10_000, error: 'No answer came within 10 seconds.' },
  ],
  createdAt: '2026-01-31T12:00:00.000Z',
};

beforeEach(() => {
  answer('GET /api/oauth/my-applications', [application]);
  answer('GET /api/oauth/application/client-1/test-mode', {
    clientId: 'test_client-1',
    hasSecret: true,
    members: [],
    events: 0,
    eventsMax: 10_000,
    resetsLeft: 10,
  });
  answer('GET /api/oauth/application/client-1/wallet', {
    balance: 0,
    totals: { spent: 0, paid: 0, funded: 0, withdrawn: 0 },
  });
  answer('GET /api/oauth/application/client-1/wallet/statement', { entries: [], nextCursor: null });
  answer('GET /api/oauth/application/test_client-1/webhooks', { webhooks: [] });
  answer('GET /api/oauth/application/client-1/secrets', { secrets: [] });
  answer('GET /api/oauth/application/client-1/members', { members: [], nextCursor: null });
  answer('GET /api/oauth/application/client-1/calls', { calls: [], nextCursor: null });
});

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const page = () => open('/developer/apps/client-1');

test('a webhook is added with all events or fewer, and its secret is shown once', async () => {
  answer(`GET ${PATH}`, { webhooks: [] });
  const user = page();
  expect(await screen.findByText('No webhooks yet')).toBeVisible();
  await user.click(await button('Add Webhook'));
  const dialog = await screen.findByRole('dialog', { name: 'Add Webhook' });
  const submit = within(dialog).getByRole('button', { name: 'Add Webhook' });
  expect(submit).toBeDisabled();
  await fill(user, within(dialog).getByLabelText('Address'), 'https://10.0.0.1/');
  answer(`POST ${PATH}`, refusal(400, 'INVALID_URL', 'This address cannot be used: its host is not public.'));
  await user.click(submit);
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('its host is not public');
  await fill(user, within(dialog).getByLabelText('Address'), webhook.url);
  for (const box of within(dialog).getAllByRole('checkbox').slice(1)) await user.click(box);
  const sent = answer(`POST ${PATH}`, { id: 'hook-1', secret: 'whsec_abc' });
  answer(`GET ${PATH}`, { webhooks: [webhook] });
  await user.click(submit);
  const secret = await screen.findByRole('dialog', { name: 'Webhook Secret Generated' });
  expect(secret).toHaveTextContent('whsec_abc');
  expect(sent[0]?.body).toEqual({ url: webhook.url, events: ['consent.granted'] });
  await user.click(within(secret).getByRole('button', { name: "I've Saved the Secret" }));
  expect(await screen.findByText(webhook.url)).toBeVisible();
  expect(document.body).not.toHaveTextContent('whsec_abc');
});

test('a webhook that failed says why it is off, and what came back', async () => {
  const off = {
    ...webhook,
    isOn: false,
    offReason: 'failing',
    offAt: failed.createdAt,
    failingSince: failed.createdAt,
  };
  answer(`GET ${PATH}`, { webhooks: [off] });
  answer(`GET ${PATH}/hook-1/deliveries`, { deliveries: [failed], nextCursor: null });
  const user = page();
  expect(await screen.findByText('It could not be reached for three days.')).toBeVisible();
  expect(await button('Send Test')).toBeDisabled();
  await user.click(await button('Deliveries'));
  const dialog = await screen.findByRole('dialog', { name: 'Deliveries' });
  await user.click(await within(dialog).findByText('tokens.spent'));
  expect(dialog).toHaveTextContent('Waiting');
  expect(within(dialog).getByRole('list', { name: 'Attempts' })).toHaveTextContent(
    /answered 500.*<b>not now<\/b>.*No answer came within 10 seconds/,
  );
  const again = answer(`POST ${PATH}/hook-1/deliveries/delivery-1/redeliver`, { id: 'delivery-1' });
  await user.click(within(dialog).getByRole('button', { name: 'Send Again' }));
  await waitFor(() => expect(again).toHaveLength(1));
  const replay = answer(`POST ${PATH}/hook-1/replay`, { count: 7 });
  await user.click(within(dialog).getByRole('button', { name: /^Replay Since/ }));
  await waitFor(() => expect(replay[0]?.body).toEqual({ from: failed.createdAt }));
});

test('switching on, testing, rotating and deleting each do what they say', async () => {
  answer(`GET ${PATH}`, { webhooks: [webhook] });
  answer(`GET ${PATH}/hook-1/deliveries`, { deliveries: [], nextCursor: null });
  const user = page();
  const change = answer(`PATCH ${PATH}/hook-1`, { ...webhook, isOn: false });
  const card = await screen.findByRole('list', { name: 'Webhooks' });
  await user.click(within(card).getByRole('switch', { name: 'Active' }));
  await waitFor(() => expect(change[0]?.body).toEqual({ isOn: false }));
  const tested = answer(`POST ${PATH}/hook-1/test`, { id: 'delivery-2' });
  await user.click(await button('Send Test'));
  const log = await screen.findByRole('dialog', { name: 'Deliveries' });
  expect(tested).toHaveLength(1);
  expect(await within(log).findByText('Nothing sent yet')).toBeVisible();
  await user.keyboard('{Escape}');
  await user.click(await button('Rotate Secret'));
  answer(`POST ${PATH}/hook-1/rotate-secret`, { id: 'hook-1', secret: 'whsec_new', previousUntil: failed.nextAt });
  const question = await screen.findByRole('dialog', { name: 'Rotate the secret?' });
  await user.click(within(question).getByRole('button', { name: 'Rotate Secret' }));
  const secret = await screen.findByRole('dialog', { name: 'Webhook Secret Generated' });
  expect(secret).toHaveTextContent('whsec_new');
  await user.click(within(secret).getByRole('button', { name: "I've Saved the Secret" }));
  await user.click(await button('Delete'));
  const deleted = answer(`DELETE ${PATH}/hook-1`, null);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete Webhook' }));
  await waitFor(() => expect(deleted).toHaveLength(1));
});

test('test webhooks stand apart from the live ones', async () => {
  answer(`GET ${PATH}`, { webhooks: [webhook] });
  const user = page();
  expect(await screen.findByText('No test webhooks yet')).toBeVisible();
  await user.click(await button('Add Test Webhook'));
  const dialog = await screen.findByRole('dialog', { name: 'Add Test Webhook' });
  const url = 'https://app.example/test';
  await fill(user, within(dialog).getByLabelText('Address'), url);
  const sent = answer('POST /api/oauth/application/test_client-1/webhooks', { id: 'hook-2', secret: 'whsec_test' });
  answer('GET /api/oauth/application/test_client-1/webhooks', { webhooks: [{ ...webhook, id: 'hook-2', url }] });
  await user.click(within(dialog).getByRole('button', { name: 'Add Test Webhook' }));
  const secret = await screen.findByRole('dialog', { name: 'Webhook Secret Generated' });
  await user.click(within(secret).getByRole('button', { name: "I've Saved the Secret" }));
  expect(await within(await screen.findByRole('list', { name: 'Test Webhooks' })).findByText(url)).toBeVisible();
  expect(within(screen.getByRole('list', { name: 'Webhooks' })).queryByText(url)).toBeNull();
  expect(sent).toHaveLength(1);
});

test('deliveries that were dropped before they were sent are told', async () => {
  answer(`GET ${PATH}`, { webhooks: [{ ...webhook, dropped: 1_200, droppedAt: '2026-01-31T12:00:00.000Z' }] });
  page();
  expect(await screen.findByText(/^1,200 deliveries were dropped before being sent, last on .*2026/)).toBeVisible();
});
