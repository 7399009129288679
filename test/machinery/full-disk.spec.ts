import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { registrationBody, TestBrowser, type TestMember } from '../support/api.js';
import { grantNova } from '../support/money.js';
import { embeddedDatabase, Product } from '../support/product.js';
import { type GiftAnswer, GiftLoad } from './gift-load.js';
import { IS_THOROUGH } from './thorough.js';

jest.setTimeout(300_000);

/** Room for a new database (about 70 MB), its write-ahead log, and little else. */
const DISK_MB = 224;
const GIFTS_MAX = 6_000;
const REFUSED_MIN = 12;
const MEMBERS = 4;

const folder = IS_THOROUGH ? mkdtempSync(path.join(tmpdir(), 'nova-disk-')) : '';
const isMounted = IS_THOROUGH && mountDisk();

/** A disk that fills up under load: commands are refused, nothing is lost, and free space is enough to continue. */
const describeOnSmallDisk = isMounted ? describe : describe.skip;
describeOnSmallDisk('a full disk (thorough only; needs root on Linux, to mount a small one)', () => {
  let product: Product | undefined;

  afterAll(async () => {
    await product?.stop();
    if (isMounted) spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('refuses commands until there is room, and loses none', async () => {
    const started = await Product.start({ dataDir: folder, env: { ADMIN_EMAIL: 'root@example.com' } });
    product = started;
    const register = async (given: { readonly email?: string } = {}): Promise<TestMember> => {
      const browser = new TestBrowser(started.url);
      const body = registrationBody(given);
      const { status, body: answer } = await browser.post('/api/auth/register', body);
      expect(status).toBe(201);
      return { ...body, id: answer.user.id, browser };
    };
    const admin = await register({ email: 'root@example.com' });
    const members: TestMember[] = [];
    for (let number = 0; number < MEMBERS; number += 1) members.push(await register());
    for (const { id } of members) await grantNova(admin, id, 100_000_000);
    const load = new GiftLoad(members, [started.url]);
    expect((await load.send(20)).every(({ status }) => status === 201)).toBe(true);

    const ballast = path.join(folder, 'ballast');
    fillUp(ballast);
    const answers: GiftAnswer[] = [];
    const refused = (): number => answers.filter(({ status }) => status !== 201).length;
    while (refused() < REFUSED_MIN && answers.length < GIFTS_MAX) answers.push(...(await load.send(40)));
    // 0: the server itself has ended, because its database could not be started again.
    for (const { status } of answers) expect([201, 503, 0]).toContain(status);
    expect(refused()).toBeGreaterThanOrEqual(REFUSED_MIN);

    rmSync(ballast);
    await recovered(started);
    await load.settle();
    const { user, password, host, port, database } = embeddedDatabase(folder);
    await load.expectBooks({
      databaseUrl: `postgres://${user}:${String(password)}@${host}:${port}/${database}`,
      dataDir: folder,
    });
    process.stderr.write(`  ${load.sent} gifts, ${refused()} of them refused at first\n`);
  });
});

/** Starts a server again that gave up, as its operator would once there is room. */
async function recovered(product: Product): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      return await product.untilRecovered();
    } catch {
      await sleep(1_000);
    }
  }
  await product.untilRecovered();
}

function mountDisk(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=0711`, 'tmpfs', folder]).status === 0;
}

/** Fills all remaining room. */
function fillUp(file: string): void {
  const handle = openSync(file, 'w');
  try {
    const block = Buffer.alloc(64 * 1024);
    while (statfsSync(folder).bavail > 0) writeSync(handle, block);
  } catch {
    // Full.
  }
  closeSync(handle);
}
