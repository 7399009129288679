import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { DISPLAY_NAME_MAX } from '@app/domain';
import { NewContentDto } from '../../apps/api/src/content/content.dto.js';
import { NewWallCommentDto } from '../../apps/api/src/discovery/wall.dto.js';
import { codePoints } from '../../apps/api/src/platform/text.js';
import { ProfileChangesDto } from '../../apps/api/src/profiles/profile.dto.js';
import { ProfileSettingsChangesDto } from '../../apps/api/src/profiles/profile-settings.dto.js';
import { SelfDescriptionChangesDto } from '../../apps/api/src/profiles/self-description.dto.js';
import { startTestApi, type TestApi, type TestBrowser } from '../support/api.js';
import { breachesOf } from '../support/breaches.js';
import { eventually } from '../support/eventually.js';
import { expectFiguresOfHledger, figuresOf, hasHledger } from '../support/hledger.js';
import { reconcile } from '../support/money.js';
import { IS_ONES_DEED } from '../support/own-events.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

interface DemoMember {
  readonly name: string;
  readonly displayName: string;
  readonly chatPrice?: number;
  readonly card: { readonly kind: string; readonly caption: string; readonly hashtags: readonly string[] };
}
type DemoPost = DemoMember['card'] & { readonly author: string };
interface DemoData {
  readonly MEMBERS: readonly DemoMember[];
  readonly POSTS: readonly DemoPost[];
  readonly WALL_COMMENTS: readonly (readonly [from: string, to: string, comment: string])[];
}

const FOLDER = path.resolve('tools/demo');
const { MEMBERS, POSTS, WALL_COMMENTS }: DemoData = Object.assign(
  {},
  ...['members', 'posts', 'meetings'].map((name): object => require(path.join(FOLDER, `${name}.mjs`))),
);
/** Preparing pictures and clips takes a busy machine a while: a third of the members do everything that all do. */
const MEMBERS_FILLED = 8;
const POSTS_FILLED = POSTS.filter(({ author }) =>
  MEMBERS.slice(0, MEMBERS_FILLED).some(({ name }) => name === author),
).length;
const PATIENCE_MS = 240_000;

/** The faults that a member who sent this would be told. */
const faults = (type: new () => object, value: object): string[] =>
  validateSync(plainToInstance(type, value)).map((fault) => fault.toString());
const expectFiles = (...names: string[]): void => {
  for (const name of names) expect([name, existsSync(path.join(FOLDER, 'files', name))]).toEqual([name, true]);
};

describe('what members of the demo say', () => {
  it.each(MEMBERS)('could be said by a member: $name', ({ name, displayName, card, chatPrice, ...said }) => {
    expect(codePoints(displayName)).toBeLessThanOrEqual(DISPLAY_NAME_MAX);
    const { kind, caption, hashtags } = card;
    expect(faults(NewContentDto, { mediaUrl: '/objects/uploads/x', caption, hashtags })).toEqual([]);
    expect(faults(SelfDescriptionChangesDto, said)).toEqual([]);
    expect(faults(ProfileChangesDto, said)).toEqual([]);
    expect(faults(ProfileSettingsChangesDto, { minimumChatPrice: chatPrice })).toEqual([]);
    expectFiles(`picture-${name}.jpg`, `card-${name}.webp`, ...(kind === 'clip' ? [`card-${name}.mp4`] : []));
  });

  it('could be posted, and written on walls', () => {
    const names = new Set(MEMBERS.map(({ name }) => name));
    for (const [number, { author, kind, caption, hashtags }] of POSTS.entries()) {
      expect([caption, names.has(author)]).toEqual([caption, true]);
      expect(faults(NewContentDto, { mediaUrl: '/objects/uploads/x', caption, hashtags })).toEqual([]);
      expectFiles(`post-${number}.webp`, ...(kind === 'clip' ? [`post-${number}.mp4`] : []));
    }
    for (const [from, to, comment] of WALL_COMMENTS) {
      expect([from, to, names.has(from), names.has(to), from !== to]).toEqual([from, to, true, true, true]);
      expect(faults(NewWallCommentDto, { comment })).toEqual([]);
    }
    expect(new Set(WALL_COMMENTS.map(([from, to]) => `${from} ${to}`)).size).toBe(WALL_COMMENTS.length);
  });
});

describe('the demo', () => {
  let database: TestDatabase;
  let dataDir: string;
  beforeEach(async () => {
    database = await createTestDatabase('demo');
    dataDir = mkdtempSync(path.join(tmpdir(), 'nova-demo-'));
  });
  afterEach(async () => {
    await database.drop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const inFolder = (...parts: string[]): string => path.join(dataDir, ...parts);
  const wordFile = () => inFolder('secrets', 'demo-word');
  const start = (environment: Readonly<Record<string, string>> = {}): Promise<TestApi> =>
    startTestApi({
      database,
      environment: { DEMO_DATA: 'true', ADMIN_EMAIL: 'admin@nova.example', NOVA_DATA_DIR: dataDir, ...environment },
    });

  const fill = (api: TestApi): { readonly tool: ChildProcess; readonly ended: Promise<string> } => {
    const env = { ...process.env, NOVA_DATA_DIR: dataDir, PORT: new URL(api.url).port, PUBLIC_URL: 'http://localhost' };
    const tool = spawn(process.execPath, ['tools/demo/main.mjs', '--members', String(MEMBERS_FILLED)], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    tool.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    return { tool, ended: new Promise((resolve) => tool.once('close', () => resolve(said))) };
  };

  /** Everything that happened, by kind, except what servers record by themselves. */
  const deeds = async (): Promise<Record<string, number>> => {
    const { rows } = await database.pool.query<{ type: string; count: number }>(
      `select type, count(*)::int as count from journal.events where ${IS_ONES_DEED} group by type order by type`,
    );
    return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
  };
  const countOf = async (table: string): Promise<number> =>
    (await database.pool.query<{ count: number }>(`select count(*)::int as count from ${table}`)).rows[0]?.count ?? 0;

  it(
    'fills an installation once, goes on where it was killed, and adds nothing to what is there',
    async () => {
      // Rate limits that would stop it long before the end: the word exempts it from them.
      const api = await start({ RATE_LIMIT_FACTOR: '0.1' });
      try {
        for (const [table, rows] of [
          ['accounts', 4],
          ['payment', 3],
          ['contents', MEMBERS_FILLED + 2],
        ] as const) {
          const killed = fill(api);
          await eventually(
            () => countOf(table),
            (count) => count >= rows,
            PATIENCE_MS,
          );
          killed.tool.kill('SIGKILL');
          await killed.ended;
          expect(existsSync(inFolder('demo-filled'))).toBe(false);
        }
        const said = await fill(api).ended;
        expect(said).toContain('The demo is filled');
        expect(said).not.toContain('left out');
        const before = await deeds();
        expect(before).toMatchObject({
          NovaPurchased: 6,
          NovaGranted: 3,
          GiftSent: 11,
          ChatCompleted: 3,
          QuestCreated: 4,
        });
        expect(await countOf('accounts')).toBe(MEMBERS_FILLED + 1);
        expect(await countOf('contents')).toBe(MEMBERS_FILLED + POSTS_FILLED);
        const admin = await expectLivingProduct(api, said);

        rmSync(inFolder('demo-filled'));
        expect(await fill(api).ended).toContain('The demo is filled');
        expect(await deeds()).toEqual(before);
        expect(await countOf('contents')).toBe(MEMBERS_FILLED + POSTS_FILLED);
        expect(await fill(api).ended).toMatch(/^Demo data: sign in as any of these/);
        await expectBooks(admin);
        expect(await breachesOf(api)).toEqual([]);
      } finally {
        await api.close();
      }
    },
    PATIENCE_MS * 2,
  );

  it('goes past counts by the word of this start alone', async () => {
    const api = await start({ RATE_LIMIT_FACTOR: '0.02' });
    try {
      expect(statSync(wordFile()).mode & 0o777).toBe(0o600);
      const word = readFileSync(wordFile(), 'utf8').trim();
      const ask = (headers: Record<string, string>) => api.browser().get('/api/auth/features', headers);
      for (let call = 0; call < 40; call++) expect((await ask({ 'x-demo-word': word })).status).toBe(200);
      const wrong: Record<string, string>[] = [
        {},
        { 'x-demo-word': 'wrong' },
        { 'x-demo-word': `${word.slice(0, -1)}!` },
        { 'x-demo-word': '' },
      ];
      for (const headers of wrong) for (let call = 0; call < 8; call++) await ask(headers);
      for (const headers of wrong) expect((await ask(headers)).status).toBe(429);
      expect((await ask({ 'x-demo-word': word })).status).toBe(200);
      // The word is no key: calls that need a session or an admin still need them.
      const header = { 'x-demo-word': word };
      expect((await api.browser().get('/api/admin/stats', header)).status).toBe(401);
      const attempt = { email: 'admin@nova.example', password: 'wrong', tcConsent: true, tcVersion: '1.0' };
      const statuses = new Set<number>();
      for (let tries = 0; tries < 4; tries++) {
        statuses.add((await api.browser().post('/api/auth/signin', attempt, header)).status);
      }
      expect([...statuses]).toEqual([401, 429]);
      await api.close();
      const again = await start();
      expect(readFileSync(wordFile(), 'utf8').trim()).not.toBe(word);
      await again.close();
    } finally {
      await api.close();
    }
  });

  it('has no word where it may not fill', async () => {
    const live = {
      STRIPE_SECRET_KEY: 'sk_live_x',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_x',
      STRIPE_WEBHOOK_SECRET: 'whsec_x',
    };
    const others: Record<string, string>[] = [{ DEMO_DATA: 'false' }, { NODE_ENV: 'production' }, live];
    for (const environment of others) {
      await (await start(environment)).close();
      expect([environment, existsSync(wordFile())]).toEqual([environment, false]);
    }
    await database.pool.query('insert into demo_data (done_at) values (now())');
    await (await start()).close();
    expect(existsSync(wordFile())).toBe(false);
    await database.pool.query('delete from demo_data');
    const api = await start();
    expect(existsSync(wordFile())).toBe(true);
    await api.member();
    await api.close();
    const used = await start();
    expect(existsSync(wordFile())).toBe(false);
    expect(await fill(used).ended).toContain('There is no demo here');
    expect(await countOf('accounts')).toBe(1);
    await used.close();
  });
});

/**
 * Expects cards with pictures and clips, viewed posts and wall comments, and that everybody who is printed can sign in.
 * @returns the admin's browser
 */
async function expectLivingProduct(api: TestApi, said: string): Promise<TestBrowser> {
  const password = /password\s+(\S+)/.exec(said)?.[1];
  const signIn = async (email: string): Promise<TestBrowser> => {
    const browser = api.browser();
    const answer = await browser.post('/api/auth/signin', { email, password, tcConsent: true, tcVersion: '1.0' });
    expect(answer).toMatchObject({ status: 200, body: { user: { email, isAdmin: email.startsWith('admin') } } });
    if (!email.startsWith('admin')) expect(answer.body.user.novaBalance).toBeGreaterThan(0);
    return browser;
  };
  const admin = await signIn('admin@nova.example');
  const [ada, ...others] = /members\s+(.+)/.exec(said)![1]!.split(', ');
  for (const email of others) await signIn(email);
  const browser = await signIn(ada!);
  const { body } = await browser.get('/api/discovery/feed?limit=100');
  const cards = body.profiles.filter(({ isAdmin }: { isAdmin?: boolean }) => !isAdmin);
  const shown = cards.filter(({ profileCardContent }: { profileCardContent: unknown }) => profileCardContent);
  expect(shown).toHaveLength(MEMBERS_FILLED);
  const clips = shown.filter((card: { profileCardContent: { contentType: string } }) => {
    return card.profileCardContent.contentType === 'video';
  });
  expect(clips).toHaveLength(4);
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
  expect(feed.body.posts).toHaveLength(POSTS_FILLED);
  expect(feed.body.posts.filter(({ likeCount }: { likeCount: number }) => likeCount > 0).length).toBeGreaterThan(3);
  const wall = await browser.get(`/api/profile/${cards.find(({ isOwn }: { isOwn: boolean }) => isOwn).id}/wall`);
  expect(wall.body.total).toBe(1);
  // The chats count for the quests.
  const { progress } = (await browser.get('/api/quests/progress')).body;
  expect(progress.length).toBeGreaterThan(0);
  const applications = (await browser.get('/api/oauth/my-applications')).body;
  expect(JSON.stringify(applications)).toContain('Nova Pocket');
  return admin;
}

/** Expects books in play money that the provider agrees with, and the panel's figures in hledger. */
async function expectBooks(admin: TestBrowser): Promise<void> {
  await reconcile(admin);
  const finance = '/api/admin/finance';
  const { currency, statements } = (await admin.get(`${finance}/general-ledger/statements?from=2000-01-01`)).body;
  const { balanceSheet, incomeStatement } = statements;
  expect(currency).toBe('XTS');
  // Of all that was paid, the provider has the money but for its fees: nothing is left in clearing.
  expect(figuresOf(balanceSheet.assets)).toEqual({ 'assets:provider:balance': balanceSheet.assets.cents });
  expect(Object.keys(figuresOf(balanceSheet.liabilities))).toEqual(['liabilities:deferred-revenue']);
  expect(figuresOf(incomeStatement.revenue)['income:revenue:commission']).toBeGreaterThan(0);
  expect(figuresOf(incomeStatement.expenses)['expenses:provider:fees']).toBeGreaterThan(0);
  if (!hasHledger) return;
  const journal = String((await admin.get(`${finance}/export?format=hledger`)).body);
  expect(journal).not.toContain('USD');
  expectFiguresOfHledger(journal, statements);
}
