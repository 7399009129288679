import { authorize, registerApplication } from '../support/applications.js';
import type { TestApi, TestMember } from '../support/api.js';
import { acceptChat, requestChat } from '../support/open-chat.js';
import { grantNova } from '../support/money.js';
import type { Known } from './values.js';

/** Somebody who sends requests, in one of the roles that the API knows. */
export interface Person {
  readonly role: 'visitor' | 'member' | 'admin' | 'application';
  headers(): Record<string, string>;
  /** Signs in again after a request that has ended the session. */
  renew(): Promise<void>;
}

export interface Cast {
  readonly people: readonly Person[];
  readonly known: Known;
}

const PURSE = 100_000;
const HOUR_MS = 3_600_000;

/** One person of each role, and enough around them that right requests find something to act on. */
export async function castOf(api: TestApi, admin: TestMember): Promise<Cast> {
  const [one, other, third] = [await api.member(), await api.member(), await api.member()];
  for (const member of [one, other, third]) await grantNova(admin, member.id, PURSE);
  const open = await requestChat(one, other);
  await acceptChat({ chatId: open, initiator: one, host: other });
  const waiting = await requestChat(third, one);
  const asked = await requestChat(other, third);
  const application = await registerApplication(one);
  const token = await authorize(api, other, application, { scopes: ['openid', 'nova', 'karma', 'influence'] });
  const questId = await openQuest(admin);
  const paid = await one.browser.post('/api/nova/create-payment-intent', { amount: 1_250 });
  const members = [one.id, other.id, third.id];
  return {
    people: [
      { role: 'visitor', headers: () => ({}), renew: () => Promise.resolve() },
      signedIn(api, 'member', one),
      signedIn(api, 'admin', admin),
      {
        role: 'application',
        headers: () => ({ authorization: `Bearer ${token.value}` }),
        renew: () => Promise.resolve(),
      },
    ],
    known: {
      ids: {
        user: members,
        recipient: members,
        profile: members,
        host: members,
        owner: members,
        author: members,
        target: members,
        chat: [open, waiting, asked],
        quest: [questId],
        client: [application.clientId],
        payment: [String(paid.body.paymentIntentId ?? paid.body.id ?? 'pi_unknown')],
      },
      fields: {
        email: [other.email, third.email, 'nobody@example.com'],
        password: [other.password, 'battery horse'],
        newPassword: ['battery horse staple'],
        pin: [other.pin, '735194'],
        newPin: ['4321'],
        tcConsent: [true],
        tcVersion: ['1.0'],
        amount: [1, 10, 99.99, 1_250, 2_000_000],
        reason: ['For a good reason.'],
        redirectUris: [['https://app.example.com/callback']],
        startTime: [new Date(Date.now() - HOUR_MS).toISOString()],
        endTime: [new Date(Date.now() + HOUR_MS).toISOString()],
      },
    },
  };
}

async function openQuest(admin: TestMember): Promise<string> {
  const { status, body } = await admin.browser.post('/api/admin/quests', {
    title: 'Give once',
    description: 'Send a gift to somebody.',
    reward: 25,
    startTime: new Date(Date.now() - HOUR_MS).toISOString(),
    endTime: new Date(Date.now() + HOUR_MS).toISOString(),
    rules: { type: 'gifts_sent', target: 1 },
  });
  if (status !== 201) throw new Error(`making a quest failed: ${status} ${JSON.stringify(body)}`);
  return String(body.id);
}

function signedIn(api: TestApi, role: 'member' | 'admin', first: TestMember): Person {
  let member = first;
  return {
    role,
    headers: () => ({ cookie: member.browser.cookie }),
    async renew() {
      if ((await member.browser.get('/api/auth/user')).status === 200) return;
      const { email, password } = member;
      const body = { email, password, tcConsent: true, tcVersion: '1.0' };
      if ((await member.browser.post('/api/auth/signin', body)).status === 200) return;
      if (role === 'admin') throw new Error('the admin cannot sign in any more');
      member = await api.member();
    },
  };
}
