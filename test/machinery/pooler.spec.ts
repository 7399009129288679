import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { registerMember, TestBrowser, type TestMember } from '../support/api.js';
import { grantNova } from '../support/money.js';
import { hasPgBouncer, PgBouncer } from '../support/pgbouncer.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { Product } from '../support/product.js';
import { GiftLoad } from './gift-load.js';
import { IS_THOROUGH } from './thorough.js';

const ADMIN_EMAIL = 'root@example.com';
const LOAD_MS = IS_THOROUGH ? 60_000 : 5_000;
const MEMBERS = 4;
const LANES = 8;

jest.setTimeout(300_000);

if (!hasPgBouncer) process.stderr.write('  Skipped: servers behind a pooler, because there is no program pgbouncer.\n');

/** As `docs/postgres.md` (Poolers) says. */
(hasPgBouncer ? describe : describe.skip)('two servers behind a pooler that keeps sessions whole', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let folder: string;
  const servers: Product[] = [];

  beforeAll(async () => {
    database = await createTestDatabase('pooler');
    folder = mkdtempSync(path.join(tmpdir(), 'nova-pooler-'));
    pooler = await PgBouncer.before(database.url, {
      pool_mode: 'session',
      default_pool_size: 100,
      max_client_conn: 120,
    });
    for (const name of ['api-0', 'api-1']) {
      const env = { DATABASE_URL: pooler.url, ADMIN_EMAIL };
      servers.push(await Product.start({ dataDir: folder, name, env }));
    }
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await pooler?.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('work under load, and one takes over when the other dies', async () => {
    const [first, second] = servers as [Product, Product];
    const admin = await member(first.url, ADMIN_EMAIL);
    const members: TestMember[] = [];
    for (let number = 0; number < MEMBERS; number += 1) members.push(await member(second.url));
    for (const { id } of members) await grantNova(admin, id, 100_000_000);
    const gifts = new GiftLoad(members, [first.url, second.url]);
    const over = { over: false };
    const giving = gifts.sendUntil(over, LANES);
    await sleep(LOAD_MS);
    over.over = true;
    const answers = await giving;
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);

    // Its locks must go with its connections, or nobody follows the journal any more.
    gifts.urls = [second.url];
    await first.killApi();
    const after = await gifts.send(LANES);
    expect(after.filter(({ status }) => status !== 201)).toEqual([]);
    await second.untilReady();
    await gifts.expectBooks({ databaseUrl: database.url });
    const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)));
    process.stderr.write(`  PgBouncer: ${answers.length} gifts in ${LOAD_MS / 1000} s, the slowest in ${slowest} ms\n`);
  });
});

const member = (url: string, email?: string): Promise<TestMember> =>
  registerMember(new TestBrowser(url), email === undefined ? {} : { email });
