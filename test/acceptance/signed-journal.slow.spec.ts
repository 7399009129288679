import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type ChatEvent,
  chatStream,
  DAY_MS,
  encodeChatEvent,
  encodeLedgerEvent,
  LEDGER_STREAM,
  type LedgerEvent,
} from '@app/domain';
import { type EventStore, type NewEvent, openEventStore } from '@app/event-store';
import { chainHash, eventIdOf, hashOf, SignedStore, storedIn, ThreadedJournal } from '@app/ledger';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { BEHIND_MS, CheckpointRounds } from '../../apps/api/src/finance/checkpoints/checkpoint-rounds.js';
import { FolderTarget } from '../../apps/api/src/finance/checkpoints/checkpoint-targets.js';
import { readSeals } from '../../apps/api/src/finance/checkpoints/seals.js';
import type { Installation } from '../../apps/api/src/finance/installation.js';
import {
  beginSigning,
  beginSigningAnew,
  changeSigningKey,
  signingStatus,
  statusText,
  trustOwnKey,
} from '../../apps/api/src/finance/signing.js';
import { verify } from '../../apps/api/src/finance/verify.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import { JournalKeys, trustText } from '../../apps/api/src/platform/ledger/journal-keys.js';
import type { OpenLedger } from '../../apps/api/src/platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import { startTestApi, type TestApi, type TestApiOptions, type TestMember } from '../support/api.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { eventually } from '../support/eventually.js';
import { talk, wallet } from '../support/chats.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { activeChat, type OpenChat } from '../support/open-chat.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

jest.setTimeout(180_000);

/** A thread is for longer journals. */
const NO_THREAD = new URL('file:///none');

/** How an operator gets a journal signed, and what happens to somebody who can write to the database. */
describe.each(['Postgres', 'EventStoreDB'])('a journal in %s that is signed from a command on', (where) => {
  const standIn = where === 'EventStoreDB' ? new EventStoreDbServer() : undefined;
  let database: TestDatabase;
  let dataDir: string;
  let api: TestApi | undefined;
  let checkpoints = 0;

  beforeAll(async () => {
    await standIn?.start();
    database = await createTestDatabase('signed');
    dataDir = mkdtempSync(path.join(tmpdir(), 'nova-signed-'));
  });
  afterAll(async () => {
    await api?.close();
    standIn?.kill();
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const environment = (folder = dataDir): Record<string, string> => ({
    NOVA_DATA_DIR: folder,
    RATE_LIMIT_FACTOR: '1000',
    ...(standIn && { EVENTSTORE_URL: standIn.connectionString }),
  });
  const start = async (options: TestApiOptions = {}): Promise<TestApi> => {
    api = await startTestApi({ database, environment: { ...environment(), ...options.environment } });
    return api;
  };
  const stop = async (): Promise<void> => {
    await api?.close();
    api = undefined;
  };

  /** As a command in the terminal has it. */
  async function atTerminal<T>(work: (installation: Installation) => Promise<T>, keys = keysIn(dataDir)): Promise<T> {
    const address = { databaseUrl: database.url, eventStoreUrl: standIn?.connectionString };
    const store = await openEventStore(address);
    const pool = new pg.Pool({ connectionString: database.url, max: 3 });
    const close = async () => undefined;
    try {
      const journalEnvelope = undefined;
      return await work({
        store,
        signedStore: keys.trust()
          ? new SignedStore(store, { trust: keys.trust() ?? [], signerFor: keys.signerFor })
          : store,
        get journal() {
          return new ThreadedJournal(store, address, NO_THREAD, { trust: keys.trust(), isEverySignature: true });
        },
        pool,
        databaseUrl: database.url,
        journalEnvelope,
        keys,
        close,
      });
    } finally {
      await pool.end();
      await store.close();
    }
  }

  const seals = () => path.join(dataDir, 'checkpoints');
  /** The check that a running server makes five minutes later. */
  async function checkpoint({ nova, database: { pool } }: TestApi): Promise<string[]> {
    const [{ store }, { writer }] = [nova.app.get<Journal>(JOURNAL), nova.app.get<OpenLedger>(OPEN_LEDGER)];
    // At noon, because a round at midnight belongs to two days.
    let now = (Math.floor(Date.now() / DAY_MS) + ++checkpoints) * DAY_MS + DAY_MS / 2;
    const clock = { now: () => now, ready: true };
    const targets = [new FolderTarget('the data folder', seals())];
    const logger = { log: () => undefined, warn: () => undefined };
    const keys = keysIn(dataDir);
    const rounds = new CheckpointRounds({ store: storedIn(store), pool, clock, writer, keys, targets, logger });
    const { signal } = new AbortController();
    for (let n = 0; n < 2; n += 1, now += BEHIND_MS) await rounds.round(signal);
    return rounds.complaints;
  }

  const complaints = (known = keysIn(dataDir)) =>
    atTerminal(async ({ store, signedStore, journal, pool, databaseUrl, keys }) => {
      const found: string[] = [];
      const snapshotSigning = keys.snapshotSigning();
      const checked = {
        store,
        signedStore,
        journal,
        pool,
        connectionString: databaseUrl,
        snapshotSigning,
        seals: await readSeals(seals(), undefined),
      };
      for await (const { what, breaches } of verify(checked)) {
        found.push(...breaches.map((breach) => `${what}: ${breach}`));
      }
      return found;
    }, known);

  it('begins, is written, changes its key, stops at a forged event and goes on without it', async () => {
    const { admin } = await signInAdmin(start);
    const ada = await api!.member();
    const bob = await api!.member();
    await grantNova(admin, ada.id, 100_000);
    await expect(atTerminal(beginSigning)).rejects.toThrow('A server is running. Stop all servers');
    await stop();

    await atTerminal(beginSigning);
    await expect(atTerminal(beginSigning)).rejects.toThrow('This journal is already signed');
    const folder = path.join(dataDir, 'journal');
    expect(readdirSync(folder).toSorted()).toEqual([
      expect.stringMatching(/^key-.*\.json$/),
      'seen-head',
      'trust.json',
    ]);
    for (const file of readdirSync(folder)) expect(statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
    const told = await atTerminal(async (installation) => statusText(await signingStatus(installation)));
    expect(told).toMatch(/^The journal [0-9a-f]{32} is signed from revision 1 on by the key [0-9a-f]{16}\.\n/);
    expect(told).toContain('Its private key is here.\nThis agrees with JOURNAL_TRUST=');

    await start();
    const gift = (from: TestMember, amount: number) =>
      at(from).post('/api/gifts/send', { recipientId: bob.id, amount }, { 'idempotency-key': uuidv7() });
    expect((await gift(ada, 1_000)).status).toBe(201);
    expect(await signatureOf(admin, 0)).toMatchObject({ status: 'before', signedFrom: 1, signature: null });
    expect(await signatureOf(admin, 2)).toEqual({
      status: 'signed',
      keyId: /by the key ([0-9a-f]{16})/.exec(told)?.[1],
      firstRevision: 2,
      lastRevision: 2,
      signature: expect.stringMatching(/^[\w-]{86}$/),
      signedFrom: null,
      problem: null,
    });
    expect(await checkpoint(api!)).toEqual([]);

    // An open chat, and its end as forged by somebody who can write to the database.
    const chat = await activeChat(api!, { ...admin, browser: at(admin) });
    await withStore((store) => endChat(store, chat));
    const seen = api!.nova.app.get<Journal>(JOURNAL).store;
    expect((await seen.head(chatStream(chat.chatId)))?.revision).toBe(1);
    await talk(chat, 4);
    expect(await wallet(chat.initiator)).toMatchObject({ novaBalance: 8_750, heldNova: 1_250 });
    expect(await wallet(chat.host)).toMatchObject({ pendingNova: 0 });
    await talk(chat, 1);
    await eventually(async () => (await wallet(chat.host)).pendingNova === 625);
    await stop();
    const unsigned = `Other streams: ${chatStream(chat.chatId)} revision 2 is not signed, and was skipped`;
    expect(await complaints()).toEqual([unsigned]);

    await atTerminal(changeSigningKey);
    await start();
    expect((await gift(ada, 2_000)).status).toBe(201);
    expect(await checkpoint(api!)).toEqual([]);
    expect(readdirSync(seals())).toHaveLength(2);
    expect(await balanceOf(bob)).toBe(1_500);

    // Everything about it is valid except its author.
    await withStore((store) => forge(store, bob.id));
    await eventually(async () => (await gift(ada, 3_000)).status === 503);
    expect(await gift(ada, 3_000)).toMatchObject({ status: 503, body: { code: 'JOURNAL_STOPPED' } });
    expect((await at(ada).get('/health/ready')).body.checks).toMatchObject({
      journal: { ok: false, detail: expect.stringMatching(/^nothing is written: revision \d+ is signed by nobody$/) },
    });
    expect(await balanceOf(bob)).toBe(1_500);
    const forged = await forgedRevision();
    const problem = `Revision ${forged} is signed by nobody. No balance counts it.`;
    expect(await signatureOf(admin, forged)).toMatchObject({ status: 'wrong', problem, signature: null });
    expect(await signatureOf(admin, forged - 1)).toMatchObject({ status: 'signed', lastRevision: forged - 1 });
    const { body: untrue } = await at(admin).get(`/api/admin/events/${forged}`);
    expect(untrue.entries).toHaveLength(2);
    expect((await at(bob).get(`/api/nova/transactions/${untrue.eventId}`)).status).toBe(404);
    expect((await at(bob).get(`/api/nova/transactions/${untrue.eventId}/receipt`)).status).toBe(404);
    expect((await at(admin).get(`/api/admin/finance/trial-balance?revision=${forged}`)).status).toBe(404);
    const today = await at(admin).get('/api/admin/finance/trial-balance?at=9999-01-01');
    expect(today).toMatchObject({ status: 200, body: { moment: { revision: forged - 1 } } });
    const exported = await at(admin).get('/api/admin/finance/export?format=jsonl');
    expect(exported).toMatchObject({ status: 503, body: { code: 'JOURNAL_STOPPED' } });
    expect([await checkpoint(api!), readdirSync(seals()).length]).toEqual([[], 2]);
    expect(await complaints()).toContainEqual(expect.stringMatching(/^Signatures: revision \d+ is signed by nobody/));
    await stop();
    await start();
    expect(await balanceOf(bob)).toBe(1_500);
    expect(await gift(ada, 3_000)).toMatchObject({ status: 503, body: { code: 'JOURNAL_STOPPED' } });

    if (!standIn) {
      await database.pool.query(
        `delete from journal.events where (stream, revision) = (
           select e.stream, max(e.revision) from journal.events e join journal.streams s on s.id = e.stream
           where s.name = 'ledger' group by e.stream)`,
      );
      await eventually(async () => (await gift(ada, 4_000)).status === 201);
      await eventually(async () => (await balanceOf(bob)) === 3_500);
      await stop();
      expect(await complaints()).toEqual([unsigned]);
    }
  });

  it('is not written by a server that lacks the key, or does not know whose it is', async () => {
    await stop();
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'nova-elsewhere-'));
    const starting = (more: Record<string, string>) =>
      startTestApi({ database, environment: { ...environment(elsewhere), ...more } });
    try {
      await expect(starting({})).rejects.toThrow(/is signed by the key [0-9a-f]{16}, which is not here/);
      expect(keysIn(dataDir).signers()).toHaveLength(2);
      const trust = keysIn(dataDir).trust()?.map(trustText).join(',') ?? '';
      await expect(starting({ JOURNAL_TRUST: trust })).rejects.toThrow('which is not here');
      await expect(starting({ JOURNAL_TRUST: 'somebody' })).rejects.toThrow('JOURNAL_TRUST must say');
      await expect(starting({ JOURNAL_KEY: '{}' })).rejects.toThrow('JOURNAL_KEY must hold a private Ed25519 key');
      if (standIn) return;

      const ownKeys = (given = {}) => new JournalKeys(path.join(elsewhere, 'journal'), given);
      await expect(atTerminal(beginSigningAnew)).rejects.toThrow('The key that signs is here');
      await expect(atTerminal(beginSigningAnew, ownKeys())).rejects.toThrow(
        'nothing here says who should have signed it',
      );
      // The command is interrupted once its event is written.
      const saying = jest.spyOn(JournalKeys.prototype, 'trustIn').mockImplementationOnce(() => {
        throw new Error('the machine went off');
      });
      await expect(atTerminal(beginSigningAnew, ownKeys({ trust }))).rejects.toThrow('the machine went off');
      saying.mockRestore();
      const told = await atTerminal(async (installation) => {
        await trustOwnKey(installation);
        return statusText(await signingStatus(installation));
      }, ownKeys({ trust }));
      expect(told).toContain(`Its private key is here.\nThis agrees with JOURNAL_TRUST=${trust},`);
      api = await starting({});
      await stop();
      expect(await complaints(ownKeys())).toEqual([expect.stringMatching(/^Other streams: chat-/)]);
      expect(await complaints()).toContainEqual(expect.stringMatching(/^Signatures: revision \d+ begins with a key/));
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  const keysIn = (folder: string): JournalKeys => new JournalKeys(path.join(folder, 'journal'));
  /** The member's browser at the current server. */
  const at = ({ browser }: TestMember) => {
    const other = api!.browser();
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    return other;
  };
  const balanceOf = async (member: TestMember): Promise<number> =>
    (await at(member).get('/api/nova/balance')).body.novaBalance as number;

  const signatureOf = async (admin: TestMember, revision: number): Promise<unknown> =>
    (await at(admin).get(`/api/admin/events/${revision}`)).body.signature;
  const forgedRevision = (): Promise<number> =>
    atTerminal(async ({ store }) => (await store.head(LEDGER_STREAM))?.revision ?? -1);

  async function withStore(work: (store: EventStore) => Promise<unknown>): Promise<void> {
    await atTerminal(({ store }) => work(store));
  }
});

/** A success, as the rules make it, after a message that nobody sent. */
async function endChat(store: EventStore, { chatId, initiator, host }: OpenChat): Promise<void> {
  const at = Date.now();
  const event: ChatEvent = {
    type: 'ChatSucceeded',
    at,
    rateBy: at + DAY_MS,
    chatId,
    initiatorId: initiator.id,
    hostId: host.id,
    exchanges: 5,
    totalCharacters: 600,
    hostCharacters: 300,
  };
  const metadata = `{"nova":2,"$correlationId":"7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11","actor":"process"}`;
  const stored: NewEvent = { id: uuidv7(), type: event.type, data: encodeChatEvent(event), metadata };
  await store.append(chatStream(chatId), [stored], 1);
}

async function forge(store: EventStore, userId: string): Promise<void> {
  const head = await store.head(LEDGER_STREAM);
  if (!head) throw new Error('the journal is empty');
  const event: LedgerEvent = {
    type: 'NovaGranted',
    at: Date.now(),
    actor: 'admin:admin',
    nonce: uuidv7(),
    userId,
    adminId: 'admin',
    amount: 1_000_000_00n,
    entries: [
      ['issuance:NOVA', 'NOVA', -1_000_000_00n],
      [`user:${userId}:earned`, 'NOVA', 1_000_000_00n],
    ],
  };
  const data = encodeLedgerEvent(event);
  const revision = head.revision + 1;
  const hash = chainHash(hashOf(head.metadata), revision, event.type, data);
  const metadata = `{"nova":2,"hash":"${hash}","$correlationId":"7f0c3a52-7d4e-4a0b-9a3e-0d1f5f4c2b11"}`;
  const stored: NewEvent = { id: eventIdOf(hash, revision), type: event.type, data, metadata };
  await store.append(LEDGER_STREAM, [stored], head.revision);
}
