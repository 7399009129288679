import { setTimeout as pause } from 'node:timers/promises';
import { issueFirstAdminWord } from '../../apps/api/src/identity/first-admin.js';
import { OneTimeWords } from '../../apps/api/src/identity/one-time-words.js';
import type { TestApi, TestApiOptions, TestBrowser, TestMember } from './api.js';
import { eventually } from './eventually.js';

const ADMIN_EMAIL = 'root@example.com';

/** An application with an admin who is signed in. Its limits are high enough not to affect tests. */
export async function signInAdmin(
  start: (options: TestApiOptions) => Promise<TestApi>,
  options: TestApiOptions = {},
): Promise<{ readonly api: TestApi; readonly admin: TestMember }> {
  const environment = { ADMIN_EMAIL, RATE_LIMIT_FACTOR: '1000', ...options.environment };
  const api = await start({ ...options, environment });
  const admin = await api.member({ displayName: 'Rhea', email: ADMIN_EMAIL });
  const { user } = (await admin.browser.get('/api/auth/user')).body;
  if (user.awaitsAdminWord) {
    const word = await issueFirstAdminWord(api.nova.app.get(OneTimeWords), ADMIN_EMAIL);
    await admin.browser.post('/api/auth/admin-word', { word });
  }
  return { api, admin };
}

export async function grantNova(admin: TestMember, userId: string, amount: number): Promise<void> {
  const answer = await admin.browser.post(`/api/admin/users/${userId}/add-nova`, { amount });
  if (answer.status !== 201) throw new Error(`granting failed: ${answer.status} ${JSON.stringify(answer.body)}`);
}

export const novaBalance = async (member: TestMember): Promise<number> =>
  (await member.browser.get('/api/nova/balance')).body.novaBalance;

/** What a form of Stripe's looks like. */
export const stripeForm = (
  browser: TestBrowser,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  browser.send('POST', `/sandbox/stripe/v1/${path}`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

/** Reads the provider's movements up to now into the books, as an admin. */
export async function reconcile(admin: TestBrowser): Promise<void> {
  // The provider's times are whole seconds.
  await pause(1_100);
  const { body, status } = await admin.post('/api/admin/reconciliation/runs', {});
  expect(status).toBe(201);
  await eventually(
    async () => (await admin.get('/api/admin/reconciliation/runs?limit=100')).body.runs,
    (runs: { id: string; state: string }[]) => runs.find(({ id }) => id === body.id)?.state === 'done',
  );
}
