import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventStoreDbEventStore, PostgresEventStore } from '@app/event-store';
import { moveJournal } from '../../apps/api/src/finance/move-journal.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { breachesIn } from '../support/breaches.js';
import { send, talk } from '../support/chats.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { eventually } from '../support/eventually.js';
import { signInAdmin, stripeForm } from '../support/money.js';
import { activeChat } from '../support/open-chat.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(180_000);

/** A growing installation moves its journal from Postgres to an event store, and nobody sees a difference. */
describe('an installation whose journal moves to EventStoreDB', () => {
  let database: TestDatabase;
  let dataDir: string;
  const server = new EventStoreDbServer();
  beforeAll(async () => {
    database = await createTestDatabase('move');
    dataDir = mkdtempSync(path.join(tmpdir(), 'nova-move-'));
    await server.start();
  });
  afterAll(async () => {
    server.kill();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function move(): Promise<number> {
    const from = await PostgresEventStore.open({ connectionString: database.url });
    const to = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
    try {
      return await moveJournal({ from, to, pool: database.pool });
    } finally {
      await to.close();
      await from.close();
    }
  }

  it('shows everybody what they saw before, and goes on', async () => {
    const environment = { NOVA_DATA_DIR: dataDir };
    const { api, admin } = await signInAdmin(startTestApi, { database, environment });
    const chat = await activeChat(api, admin);
    const { chatId, initiator, host } = chat;
    await talk(chat, 2);
    await buy(initiator, 1_250);
    await initiator.browser.post('/api/gifts/send', { recipientId: host.id, amount: 1_000 });
    await initiator.browser.post(`/api/users/${host.id}/follow`);
    const before = await seenBy(chat.initiator, chat.host, admin, chatId);
    await expect(move()).rejects.toThrow('A server uses this journal');
    await api.close();

    const moved = await move();
    const { rows } = await database.pool.query('select count(*)::int as count from journal_moved.events');
    expect(moved).toBe(rows[0].count);
    // A server that is not told the journal's new place must not write to the old one.
    await expect(startTestApi({ database, environment })).rejects.toThrow(
      /^The journal in Postgres, where it is without EVENTSTORE_URL, has no event, but this installation's reaches/,
    );

    const after = await startTestApi({
      database,
      environment: { ...environment, RATE_LIMIT_FACTOR: '1000', EVENTSTORE_URL: server.connectionString },
    });
    try {
      const [ada, ben, root] = [initiator, host, admin].map((member) => again(after, member)) as [
        TestMember,
        TestMember,
        TestMember,
      ];
      await eventually(async () => (await root.browser.get('/health/ready')).status === 200);
      expect(await seenBy(ada, ben, root, chatId)).toEqual(before);
      expect((await send(ben, chatId, 'Here again')).status).toBe(201);
      expect((await ada.browser.post('/api/gifts/send', { recipientId: ben.id, amount: 1_000 })).status).toBe(201);
      expect(await wrong(database, server)).toEqual([]);
    } finally {
      await after.close();
    }
  });
});

async function buy(member: TestMember, amount: number): Promise<void> {
  const { paymentIntentId, clientSecret } = (await member.browser.post('/api/nova/create-payment-intent', { amount }))
    .body;
  const card = { payment_method: 'pm_card_visa', client_secret: clientSecret };
  await stripeForm(member.browser, `payment_intents/${paymentIntentId}/confirm`, card);
  expect((await member.browser.post('/api/nova/confirm-purchase', { paymentIntentId })).status).toBe(200);
}

/** The same member, still signed in, at another server. */
function again(api: TestApi, member: TestMember): TestMember {
  const browser = api.browser();
  for (const [name, value] of member.browser.cookies) browser.cookies.set(name, value);
  return { ...member, browser };
}

async function seenBy(ada: TestMember, ben: TestMember, root: TestMember, chatId: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const [member, target] of [
    [ada, '/api/nova/balance'],
    [ada, '/api/nova/transactions'],
    [ada, `/api/chats/${chatId}`],
    [ada, `/api/users/${ben.id}/relation`],
    [ben, '/api/nova/balance'],
    [ben, '/api/nova/transactions'],
    [ben, '/api/gifts/history'],
    [ben, '/api/chats/mine'],
    [ben, '/api/quests'],
    [root, '/api/admin/audit'],
    [root, '/api/admin/finance/trial-balance'],
  ] as const) {
    const { status, body } = await member.browser.get(target);
    seen.push({ target, status, body });
    expect([target, status]).toEqual([target, 200]);
  }
  return seen;
}

/** The faults that `verify` finds. */
async function wrong(database: TestDatabase, { connectionString }: EventStoreDbServer): Promise<string[]> {
  const store = await EventStoreDbEventStore.open({ connectionString });
  try {
    return await breachesIn(store, database);
  } finally {
    await store.close();
  }
}
