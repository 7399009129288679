import { setTimeout as sleep } from 'node:timers/promises';
import type { TestMember } from '../support/api.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { eventually } from '../support/eventually.js';
import { grantNova } from '../support/money.js';
import { picture } from '../support/media.js';
import { at, GiftLoad } from './gift-load.js';
import { Servers } from './servers.js';
import { IS_THOROUGH } from './thorough.js';

jest.setTimeout(240_000);

const SERVERS = 3;
const MEMBERS = 6;
/** Others continue a killed server's work within this time. */
const KILLED_MS_MAX = 5_000;
/** A server that hangs, or whose machine is gone, may hold a transaction a moment longer. */
const SILENT_MS_MAX = 7_000;
const PATIENCE_MS = 60_000;
const MODELS = ['balances', 'statements', 'sent_gifts', 'totals', 'key_index'];

type JournalIn = 'Postgres' | 'EventStoreDB';

const JOURNALS: readonly JournalIn[] = IS_THOROUGH ? ['Postgres', 'EventStoreDB'] : ['Postgres'];

describe.each(JOURNALS)('three servers, the journal in %s', (journalIn) => {
  const eventStore = journalIn === 'EventStoreDB' ? new EventStoreDbServer() : undefined;
  let servers: Servers;
  let members: TestMember[];
  let load: GiftLoad;

  beforeAll(async () => {
    await eventStore?.start();
    servers = await Servers.start({
      count: SERVERS,
      ...(eventStore ? { eventStoreUrl: eventStore.connectionString } : {}),
    });
    const admin = await servers.admin();
    members = [];
    for (let number = 0; number < MEMBERS; number += 1) {
      members.push(await servers.member(number));
      await grantNova(admin, members[number]?.id ?? '', 100_000_000);
    }
    load = new GiftLoad(members, servers.urls);
  });

  afterAll(async () => {
    await servers?.stop();
    eventStore?.kill();
  });

  const url = (number: number): string => servers.urls[number % SERVERS] ?? '';
  const member = (number: number): TestMember => members[number] ?? raise();

  it('know a session that another began, and that it has ended', async () => {
    const ada = await servers.member(0);
    for (const there of servers.urls) expect((await at(there, ada).get('/api/auth/user')).status).toBe(200);
    expect((await at(url(1), ada).post('/api/auth/signout')).status).toBe(200);
    for (const there of servers.urls) {
      await eventually(
        async () => (await at(there, ada).get('/api/auth/user')).status,
        (status) => status === 401,
      );
    }
  });

  it('take a command once, whichever gets its key, and all show what it did', async () => {
    expect((await load.sendEverywhere()).map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const ada of members) {
      const seen = await Promise.all(
        servers.urls.map(async (there) => (await at(there, ada).get('/api/nova/balance')).body.novaBalance),
      );
      expect(new Set(seen).size).toBe(1);
    }
  });

  it('take a file at one, put it to use at another and serve it at the third', async () => {
    const ada = member(2);
    const bytes = await picture(64, 48).jpeg().toBuffer();
    const ticket = await at(url(0), ada).post('/api/profile/image-upload-url', {
      size: bytes.length,
      contentType: 'image/jpeg',
    });
    const { uploadURL, mediaUrl } = ticket.body as { uploadURL: string; mediaUrl: string };
    const target = new URL(uploadURL);
    const put = await fetch(new URL(`${target.pathname}${target.search}`, url(1)), {
      method: 'PUT',
      headers: { 'content-type': 'image/jpeg' },
      body: new Uint8Array(bytes),
    });
    expect(put.status).toBe(200);
    const claimed = await at(url(2), ada).post('/api/profile/image', { imageUrl: mediaUrl });
    expect(claimed.status).toBeLessThan(300);
    for (const there of servers.urls) expect((await at(there, ada).get(mediaUrl)).status).toBe(200);
  });

  it('take over from one that is killed', async () => {
    for (let round = 0; round < (IS_THOROUGH ? 3 : 1); round += 1) {
      const victim = await servers.readModelOwner();
      const times = await takeOver(victim, KILLED_MS_MAX, () => servers.products[victim]?.killApi());
      process.stderr.write(`  killed server ${victim}: ${times}\n`);
      await servers.products[victim]?.start();
    }
  });

  it('tell of each gift once, although the one that told is killed', async () => {
    const victim = await servers.follower('notices');
    load.urls = servers.urls.filter((_, number) => number !== victim);
    const before = load.sent;
    const over = { over: false };
    const sending = load.sendUntil(over, 2);
    for (const enough of [10, 40]) {
      await eventually(
        async () => load.sent - before,
        (sent) => sent > enough,
      );
      if (enough === 10) await servers.products[victim]?.killApi();
    }
    over.over = true;
    expect((await sending).map(({ status }) => status)).not.toContain(0);
    load.urls = servers.urls;
    const sent = load.eventIdsAfter(before).toSorted();
    await eventually(
      async () => {
        const told = 'select source from notices where source = any($1) order by source';
        return (await servers.pool.query<{ source: string }>(told, [sent])).rows.map(({ source }) => source);
      },
      (told) => told.join() === sent.join(),
    );
    await servers.products[victim]?.start();
  });

  if (IS_THOROUGH) {
    it('take over from one that hangs, which then does no harm', async () => {
      const victim = await servers.readModelOwner();
      const times = await takeOver(victim, SILENT_MS_MAX, () => servers.products[victim]?.freezeApi());
      process.stderr.write(`  server ${victim} hung: ${times}\n`);
      servers.products[victim]?.thawApi();
      await servers.products[victim]?.untilReady();
    });
  }

  it('take over from one that the database does not reach any more', async () => {
    const victim = await servers.readModelOwner();
    const times = await takeOver(victim, SILENT_MS_MAX, () => servers.lines[victim]?.halfDie());
    process.stderr.write(`  server ${victim} was cut off: ${times}\n`);
    servers.lines[victim]?.heal();
    await servers.products[victim]?.untilReady();
  });

  it('have books that agree after all of that', async () => {
    await load.settle();
    await load.expectBooks({
      databaseUrl: servers.database.url,
      ...(eventStore ? { eventStoreUrl: eventStore.connectionString } : {}),
    });
  });

  /**
   * Harms the server that owns the read models, in the middle of its work, and returns how long others took to
   * continue.
   */
  async function takeOver(victim: number, msMax: number, harm: () => unknown): Promise<string> {
    expect(victim).toBeGreaterThanOrEqual(0);
    const pid = String(servers.products[victim]?.pid);
    const wasFollower = (await servers.follower('chats')) === victim;
    load.urls = servers.urls.filter((_, number) => number !== victim);
    const over = { over: false };
    const sending = load.sendUntil(over, 4);
    await eventually(
      async () => load.sent,
      (sent) => sent > 20,
    );
    const { rows } = await servers.pool.query<{ at: Date }>('select clock_timestamp() as at');
    const began = { at: rows[0]?.at ?? raise(), ms: performance.now() };
    await harm();
    const [projectedMs, followedMs] = await Promise.all([
      untilProjected(pid, began.at),
      wasFollower ? untilFollowed(victim, began.ms) : 0,
    ]);
    over.over = true;
    for (const { status } of await sending) expect(status).toBe(201);
    load.urls = servers.urls;
    expect(projectedMs).toBeLessThan(msMax);
    expect(followedMs).toBeLessThan(msMax);
    return `read models went on after ${projectedMs} ms${wasFollower ? `, chats after ${followedMs} ms` : ''}`;
  }

  /** When another process had advanced every read model, by the database's clock. */
  async function untilProjected(pid: string, since: Date): Promise<number> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(20)) {
      const { rows } = await servers.pool.query<{ owner: string | null; ms: string }>(
        `select owner, extract(epoch from updated_at - $2) * 1000 as ms from read.checkpoint where name = any($1)`,
        [MODELS, since],
      );
      const isTakenOver = rows.every(({ owner, ms }) => owner?.split('/')[1] !== pid && Number(ms) > 0);
      if (isTakenOver) return Math.round(Math.max(...rows.map(({ ms }) => Number(ms))));
    }
    throw new Error('nobody took the read models over');
  }

  async function untilFollowed(victim: number, beganMs: number): Promise<number> {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(20)) {
      const follower = await servers.follower('chats');
      if (follower >= 0 && follower !== victim) return Math.round(performance.now() - beganMs);
    }
    throw new Error('nobody followed the chats');
  }
});

function raise(): never {
  throw new Error('it should be there');
}
