import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { LEDGER_STREAM } from '@app/domain';
import { EventStoreDbEventStore, type EventStore, PostgresEventStore, type RecordedEvent } from '@app/event-store';
import { exportJournal } from '../../apps/api/src/finance/export.js';
import { importJournal } from '../../apps/api/src/finance/import.js';
import { moveJournal } from '../../apps/api/src/finance/move-journal.js';
import { migrate } from '../../apps/api/src/platform/database/data-source.js';
import { EVENT_STORE } from '../../apps/api/src/platform/journal/injected-journal.js';
import { SCHEMA } from '../../apps/api/src/schema.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { breachesIn } from '../support/breaches.js';
import { rate, send, talk } from '../support/chats.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { activeChat } from '../support/open-chat.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(180_000);

interface Ids {
  readonly $correlationId?: string;
  readonly $causationId?: string;
}

const idsOf = ({ metadata }: RecordedEvent): Ids => JSON.parse(metadata) as Ids;

async function eventsOf(store: EventStore, stream?: string): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of stream === undefined ? store.readAll() : store.readStream(stream)) events.push(...batch);
  return events;
}

const storeOf = (api: TestApi): EventStore => api.nova.app.get<EventStore>(EVENT_STORE, { strict: false });

describe.each(['postgres', 'eventstoredb'])('the events that a request leads to, in %s', (where) => {
  const server = new EventStoreDbServer();
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    if (where === 'eventstoredb') await server.start();
    const environment: Record<string, string> =
      where === 'eventstoredb' ? { EVENTSTORE_URL: server.connectionString } : {};
    ({ api, admin } = await signInAdmin(startTestApi, { environment }));
  });
  afterAll(async () => {
    await api?.close();
    server.kill();
  });

  const ledBy = async (requestId: string | null) =>
    (await eventsOf(storeOf(api))).filter((event) => idsOf(event).$correlationId === requestId);

  it('have its id: a grant, a gift, an upvote, a follow', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    const chosen = { 'x-request-id': randomUUID(), 'idempotency-key': 'once' };
    const granted = await admin.browser.post(`/api/admin/users/${ada.id}/add-nova`, { amount: 5_000 });
    const gift = { recipientId: bob.id, amount: 1_000 };
    const sent = await ada.browser.post('/api/gifts/send', gift, chosen);
    const again = await ada.browser.post('/api/gifts/send', gift, chosen);
    const upvoted = await ada.browser.post('/api/discovery/upvote', { profileId: bob.id });
    const followed = await ada.browser.post(`/api/users/${bob.id}/follow`);
    const typesLedBy = async ({ headers }: { readonly headers: Headers }) =>
      (await ledBy(headers.get('x-request-id'))).map(({ type }) => type);
    expect(sent.status).toBe(201);
    expect(await typesLedBy(granted)).toEqual(['NovaGranted']);
    expect(await typesLedBy(sent)).toEqual(['GiftSent']);
    expect(await typesLedBy(upvoted)).toEqual(['CardUnlocked']);
    expect(await typesLedBy(followed)).toEqual(['MemberFollowed']);
    // Nothing new happened, so nothing has the repetition's id; nobody can choose an id.
    expect(await typesLedBy(again)).toEqual([]);
    expect(await ledBy(chosen['x-request-id'])).toEqual([]);
  });

  it('name the event that led to them: a chat that succeeds pays, and a rating releases', async () => {
    const chat = await activeChat(api, admin);
    const last = await talk(chat, 5);
    const rated = await rate(chat.initiator, chat.chatId, { follow: true });
    expect(rated.status).toBe(200);
    const withRating = await ledBy(rated.headers.get('x-request-id'));
    expect(withRating.map(({ type }) => type)).toContain('MemberFollowed');
    for (const [answer, chatEvent, ledgerEvent] of [
      [last, 'ChatSucceeded', 'ChatPaymentSettled'],
      [rated, 'ChatRated', 'ChatRewardReleased'],
    ] as const) {
      const led = await ledBy(answer.headers.get('x-request-id'));
      const inChat = led.filter(({ stream }) => stream === `chat-${chat.chatId}`);
      const inLedger = led.filter(({ stream }) => stream === LEDGER_STREAM);
      expect(inChat.map(({ type }) => type)).toContain(chatEvent);
      expect(inLedger.map(({ type }) => type)).toContain(ledgerEvent);
      for (const event of inLedger) expect(idsOf(event).$causationId).toBe(inChat.at(-1)?.id);
    }
  });

  it('are all of version 2 in a new installation', async () => {
    for (const { metadata } of await eventsOf(storeOf(api))) {
      expect(metadata).toMatch(/^\{"nova":2,("hash":"[0-9a-f]{64}",)?"\$correlationId":"[0-9a-f-]{36}"/);
    }
    if (where !== 'eventstoredb') return;
    const client = EventStoreDBClient.connectionString(server.connectionString);
    for await (const { event } of client.readStream(LEDGER_STREAM)) {
      expect(event).toMatchObject({ isJson: true, data: { at: expect.any(Number) } });
      expect(event?.metadata).toMatchObject({ nova: 2, $correlationId: expect.any(String) });
    }
    await client.dispose();
  });
});

describe('an installation whose journal is of the release before', () => {
  let database: TestDatabase;
  let folder: string;
  const server = new EventStoreDbServer();
  beforeAll(async () => {
    database = await createTestDatabase('envelope');
    folder = mkdtempSync(path.join(tmpdir(), 'nova-envelope-'));
    await server.start();
  });
  afterAll(async () => {
    server.kill();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  let cookies: TestMember['browser']['cookies'] | undefined;

  /** Starts the installation again. Its admin is still signed in. */
  async function start(more: Readonly<Record<string, string>>): Promise<{ api: TestApi; admin: TestMember }> {
    const environment = { NOVA_DATA_DIR: folder, RATE_LIMIT_FACTOR: '1000', ...more };
    if (!cookies) {
      const signedIn = await signInAdmin(startTestApi, { database, environment });
      ({ cookies } = signedIn.admin.browser);
      return signedIn;
    }
    const api = await startTestApi({ database, environment });
    const browser = api.browser();
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const { user } = (await browser.get('/api/auth/user')).body;
    return { api, admin: { ...user, browser } as TestMember };
  }

  /** The versions of the events that a server with these settings writes. */
  async function versionsWritten(envelope: string): Promise<Set<string>> {
    const { api, admin } = await start({ JOURNAL_ENVELOPE: envelope });
    try {
      const before = (await eventsOf(storeOf(api))).length;
      const chat = await activeChat(api, admin);
      expect((await send(chat.host, chat.chatId, 'Hello')).status).toBe(201);
      await grantNova(admin, chat.host.id, 2_000);
      await chat.host.browser.post('/api/gifts/send', { recipientId: admin.id, amount: 1_000 });
      const written = (await eventsOf(storeOf(api))).slice(before);
      expect(new Set(written.map(({ stream }) => stream.replace(/-.*/, '')))).toEqual(new Set(['chat', LEDGER_STREAM]));
      return new Set(
        written.map(({ metadata }) => {
          if (/^(\{"hash":"[0-9a-f]{64}"\}|\{"actor":"[^{}]*\})$/.test(metadata)) return '1';
          return metadata.startsWith('{"nova":2,') ? '2' : metadata;
        }),
      );
    } finally {
      await api.close();
    }
  }

  it('goes on in version 1, then in version 2 by the setting, and back; it verifies, restores and moves', async () => {
    const written: string[][] = [];
    for (const setting of ['1', '', '2', '', '1', '2']) written.push([setting, ...(await versionsWritten(setting))]);
    expect(written).toEqual([
      ['1', '1'],
      ['', '1'],
      ['2', '2'],
      ['', '2'],
      ['1', '1'],
      ['2', '2'],
    ]);
    const from = await PostgresEventStore.open({ connectionString: database.url });
    expect(await breachesIn(from, database, { mayBeBehind: true })).toEqual([]);
    const text = await exported(from);
    const metadataOnLines = text.split('\n').filter((line) => line.includes('"metadata":{"nova":2,')).length;
    expect(metadataOnLines).toBeGreaterThan(0);
    expect(metadataOnLines).toBeLessThan(text.split('\n').length - 1);

    const restored = await createTestDatabase('restored');
    await migrate(restored.url, SCHEMA);
    const copy = await PostgresEventStore.open({ connectionString: restored.url });
    const file = path.join(folder, 'ledger.jsonl');
    writeFileSync(file, text);
    await importJournal({ store: copy, pool: restored.pool, path: file });
    const own = ({ id, type, data, metadata, revision }: RecordedEvent) => ({ id, type, data, metadata, revision });
    expect((await eventsOf(copy, LEDGER_STREAM)).map(own)).toEqual((await eventsOf(from, LEDGER_STREAM)).map(own));
    expect(await exported(copy)).toBe(text);
    await copy.close();
    await restored.drop();

    const to = await EventStoreDbEventStore.open({ connectionString: server.connectionString });
    const all = await eventsOf(from);
    expect(await moveJournal({ from, to, pool: database.pool })).toBe(all.length);
    expect((await eventsOf(to)).map(own)).toEqual(all.map(own));
    expect(await exported(to)).toBe(text);
    await Promise.all([from.close(), to.close()]);

    const { api, admin } = await start({ EVENTSTORE_URL: server.connectionString });
    await grantNova(admin, admin.id, 1);
    expect((await storeOf(api).head(LEDGER_STREAM))?.metadata).toMatch(/^\{"nova":2,/);
    await api.close();
  });
});

async function exported(store: EventStore): Promise<string> {
  let text = '';
  for await (const piece of exportJournal(store, 'jsonl', {})) text += piece;
  return text;
}
