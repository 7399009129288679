import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresEventStore } from '@app/event-store';
import type { Ledger } from '@app/ledger';
import { LEDGER } from '../../apps/api/src/platform/ledger/tokens.js';
import { startTestApi, type TestApi, type TestBrowser } from '../support/api.js';
import { breachesIn } from '../support/breaches.js';
import { EventStoreDbServer } from '../support/eventstoredb-server.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { signNewJournal } from '../support/signed.js';

/** A picture and a card of each of 24 members, and 38 posts. */
const FILES = 24 + 24 + 38;

describe('starting', () => {
  let database: TestDatabase;
  let dataDir: string;
  beforeEach(async () => {
    database = await createTestDatabase('start');
    dataDir = mkdtempSync(path.join(tmpdir(), 'nova-start-'));
  });
  afterEach(async () => {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const journalLength = async (): Promise<number> =>
    Number((await database.pool.query('select count(*) from journal.events')).rows[0].count);

  const filesKept = async (): Promise<number> =>
    (
      await database.pool.query<{ count: number }>(
        'select count(*)::int as count from demo_showcase where file_id is not null',
      )
    ).rows[0]?.count ?? 0;

  it('fills a demo installation once, and says how to sign in', async () => {
    const environment = { DEMO_DATA: 'true', NOVA_DATA_DIR: dataDir };
    await signNewJournal(database, dataDir);
    const lines: string[] = [];
    const api = await startTestApi({ database, environment, log: (line) => lines.push(line) });
    try {
      const said = lines.join('\n');
      const password = /password\s+(\S+)/.exec(said)?.[1];
      const signIn = (email: string) =>
        api.browser().post('/api/auth/signin', { email, password, tcConsent: true, tcVersion: '1.0' });
      expect(await signIn('admin@nova.example')).toMatchObject({ status: 200, body: { user: { isAdmin: true } } });
      for (const email of /members\s+(.+)/.exec(said)![1]!.split(', ')) {
        const { body } = await signIn(email);
        expect(body.user).toMatchObject({ email, isAdmin: false });
        expect(body.user.novaBalance).toBeGreaterThan(0);
      }
      expect(said).not.toContain('left out');
      const finished = await database.pool.query("select from journal.events where type = 'ChatCompleted'");
      expect(finished.rowCount).toBe(3);
      // The chats count for the quests.
      const quests = await database.pool.query('select sum(members)::int as begun from read.quests group by quest_id');
      expect(quests.rowCount).toBe(4);
      expect(quests.rows.some(({ begun }) => begun > 0)).toBe(true);
      const info = await signedIn(api, 'ben@nova.example', password).then((browser) =>
        browser.get('/api/oauth/client-info/nova-pocket-demo'),
      );
      expect(info).toMatchObject({ status: 200, body: { name: 'Nova Pocket' } });
    } finally {
      await api.close();
    }
    const before = await journalLength();
    // As after a crash just before the end: everything is there, but for the word that it is.
    await database.pool.query('delete from demo_data');
    const again = await startTestApi({ database, environment });
    await again.close();
    expect(await journalLength()).toBe(before);
  });

  it('shows a living product once it serves, goes on where it was interrupted, and adds nothing to what is there', async () => {
    const environment = { DEMO_DATA: 'true', NOVA_DATA_DIR: dataDir };
    const lines: string[] = [];
    const start = (): Promise<TestApi> => startTestApi({ database, environment, log: (line) => lines.push(line) });
    const interrupted = await start();
    void interrupted.nova.fillShowcase();
    while ((await filesKept()) < 30) await sleep(20);
    await interrupted.close();
    expect(await filesKept()).toBeLessThan(FILES);
    expect(lines.join()).not.toContain('Not all');

    const finished = await start();
    try {
      await finished.nova.fillShowcase();
      expect(lines.join()).toContain('have their portraits, clips and posts');
      const password = /password\s+(\S+)/.exec(lines.join('\n'))?.[1];
      await expectLivingProduct(await signedIn(finished, 'ada@nova.example', password));
    } finally {
      await finished.close();
    }
    const before = await journalLength();
    expect(await filesKept()).toBe(FILES);
    expect(await wrongBooks(database)).toEqual([]);

    await database.pool.query("delete from demo_showcase where step = 'done'");
    const again = await start();
    await again.nova.fillShowcase();
    await again.close();
    expect([await journalLength(), await filesKept()]).toEqual([before, FILES]);
  }, 240_000);

  it('leaves an installation without demo data empty', async () => {
    const api = await startTestApi({ database });
    await api.close();
    // The mark from which on quests count messages by today's rule is no deed of anybody's.
    const { rows } = await database.pool.query('select type from journal.events');
    expect(rows).toEqual([{ type: 'MessagesCountOnceSuccessful' }]);
    expect((await database.pool.query('select count(*)::int as count from accounts')).rows).toEqual([{ count: 0 }]);
  });

  it('makes no demo data in a journal that somebody has used', async () => {
    const api = await startTestApi({ database });
    const { id: userId } = await api.member();
    const command = { type: 'GrantNova', userId, adminId: 'root', amount: 100n } as const;
    await api.nova.app.get<Ledger>(LEDGER).execute({ command, actor: 'admin:root' });
    await api.close();
    const before = await journalLength();
    await (await startTestApi({ database, environment: { DEMO_DATA: 'true', NOVA_DATA_DIR: dataDir } })).close();
    expect(await journalLength()).toBe(before);
    expect((await database.pool.query('select from accounts')).rowCount).toBe(1);
  });

  it('lets several processes start on a new database at once', async () => {
    const apis = await Promise.all([1, 2, 3].map(() => startTestApi({ database })));
    try {
      for (const api of apis) {
        expect((await api.browser().get('/health/ready')).status).toBe(200);
        await api.member();
      }
    } finally {
      await Promise.all(apis.map((api) => api.close()));
    }
  });

  it('refuses a journal that has not what the read models were made of, and does nothing to it', async () => {
    const { api, admin } = await signInAdmin(startTestApi, { database });
    await grantNova(admin, admin.id, 100);
    await grantNova(admin, admin.id, 100);
    await api.close();
    const before = await journalLength();
    const another = new EventStoreDbServer();
    await another.start();
    try {
      const environment = { EVENTSTORE_URL: another.connectionString };
      await expect(startTestApi({ database, environment })).rejects.toThrow(
        /^The journal where EVENTSTORE_URL points has no event, but this installation's reaches revision 1 at least\./,
      );
    } finally {
      another.kill();
    }
    // As restored from an older backup than Postgres.
    await database.pool.query("delete from journal.events where type = 'NovaGranted' and revision = 1");
    await expect(startTestApi({ database })).rejects.toThrow(
      /^The journal in Postgres, where it is without EVENTSTORE_URL, ends with revision 0, but .* reaches revision 1/,
    );
    expect(await journalLength()).toBe(before - 1);
  });

  it('warns of an ADMIN_EMAIL without an account, and makes the account an admin at the next start', async () => {
    const first = await startTestApi({ database });
    const member = await first.member({ email: 'root@example.com' });
    expect((await member.browser.get('/api/auth/user')).body.user.isAdmin).toBe(false);
    await first.close();
    const second = await startTestApi({ database, environment: { ADMIN_EMAIL: 'root@example.com' } });
    try {
      const cookie = `nova_session=${member.browser.cookies.get('nova_session')}`;
      expect((await second.browser().get('/api/auth/user', { cookie })).body.user.isAdmin).toBe(true);
      expect((await second.browser().get('/api/admin/stats', { cookie })).status).toBe(200);
    } finally {
      await second.close();
    }
  });
});

async function signedIn(api: TestApi, email: string, password: string | undefined): Promise<TestBrowser> {
  const browser = api.browser();
  const { status } = await browser.post('/api/auth/signin', { email, password, tcConsent: true, tcVersion: '1.0' });
  expect(status).toBe(200);
  return browser;
}

/** Cards with pictures and clips, posts that were looked at, words on walls. */
async function expectLivingProduct(browser: TestBrowser): Promise<void> {
  const { body } = await browser.get('/api/discovery/feed?limit=100');
  const cards = body.profiles.filter(({ isAdmin }: { isAdmin?: boolean }) => !isAdmin);
  expect(cards.length).toBeGreaterThanOrEqual(24);
  const shown = cards.filter(({ profileCardContent }: { profileCardContent: unknown }) => profileCardContent);
  expect(shown).toHaveLength(24);
  const clips = shown.filter((card: { profileCardContent: { contentType: string } }) => {
    return card.profileCardContent.contentType === 'video';
  });
  expect(clips).toHaveLength(9);
  for (const card of shown) {
    expect(card).toMatchObject({
      status: expect.any(String),
      occupation: expect.any(String),
      ambitions: expect.any(String),
    });
    if (!card.isOwn) expect(card.compatibilityScore).toBeGreaterThan(0);
    expect(card.followingCount).toBeGreaterThanOrEqual(4);
    for (const url of [card.profileImageUrl, card.mediaUrl, card.profileCardContent.thumbnailUrl]) {
      expect((await browser.send('HEAD', url)).status).toBe(200);
    }
  }
  const feed = await browser.get('/api/content/feed?limit=100');
  expect(feed.body.posts).toHaveLength(38);
  expect(feed.body.posts.filter(({ likeCount }: { likeCount: number }) => likeCount > 0).length).toBeGreaterThan(20);
  const wall = await browser.get(`/api/profile/${cards.find(({ isOwn }: { isOwn: boolean }) => isOwn).id}/wall`);
  expect(wall.body.total).toBe(2);
}

/** What is wrong with the books. */
async function wrongBooks(database: TestDatabase): Promise<string[]> {
  const store = await PostgresEventStore.open({ connectionString: database.url });
  try {
    return await breachesIn(store, database);
  } finally {
    await store.close();
  }
}
