import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { registerMember, TestBrowser, type TestAnswer, type TestMember } from '../support/api.js';
import { authorize, registerApplication } from '../support/applications.js';
import { send } from '../support/chats.js';
import { grantNova } from '../support/money.js';
import { bearer } from '../support/oauth.js';
import { acceptChat, requestChat } from '../support/open-chat.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { Product } from '../support/product.js';
import { at, GiftLoad } from './gift-load.js';
import { IS_THOROUGH } from './thorough.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ADMIN_EMAIL = 'root@example.com';
/** To install and to build the release before, on a busy machine. */
const PREPARE_MS_MAX = 1_200_000;
const UPGRADE_MS_MAX = 300_000;
/** How long each pair of servers is under load. */
const PHASE_MS = 8_000;
const MEMBERS = 4;
const READERS = 4;

jest.setTimeout(UPGRADE_MS_MAX);

const [, version = ''] = /^## (\d+\.\d+\.\d+)/m.exec(readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
const release = `v${version}`;
const whyNot = reasonToSkip();
if (whyNot) process.stderr.write(`  Skipped: the rolling upgrade, because ${whyNot}.\n`);

/** The release before is in the history, so that its own lock file installs it and its own commands build it. */
(whyNot ? describe.skip : describe)(`an upgrade from ${release}, one server after the other`, () => {
  let folder: string;
  let database: TestDatabase;
  let before: Product | undefined;
  let after: Product | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-upgrade-'));
    const source = path.join(folder, 'release');
    mkdirSync(source);
    run('sh', ['-c', `git archive ${release} | tar -x -C "${source}"`], ROOT);
    run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], source);
    run('npm', ['run', 'build'], source);
    database = await createTestDatabase('upgrade');
    const env = { DATABASE_URL: database.url, ADMIN_EMAIL };
    before = await Product.start({ dataDir: folder, name: 'before', release: source, env });
  }, PREPARE_MS_MAX);

  afterAll(async () => {
    await Promise.all([before?.stop(), after?.stop()]);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('fails no read and no command, and both releases keep the same books', async () => {
    if (!before) throw new Error('the release before does not run');
    const old = before.url;
    const load = await Load.begin(old);
    await sleep(PHASE_MS / 2);

    // One address for both, as behind a proxy.
    const env = { DATABASE_URL: database.url, ADMIN_EMAIL, PUBLIC_URL: old };
    after = await Product.start({ dataDir: folder, name: 'after', env });
    await sleep(PHASE_MS / 2);
    load.goTo([old, after.url]);
    await sleep(PHASE_MS);
    // As a proxy does that hears that the old one is about to end.
    load.goTo([after.url]);
    await sleep(1_000);
    await before.stop();
    await sleep(PHASE_MS);

    const { failed, counts } = await load.end();
    process.stderr.write(`  ${release}, then both, then this release: ${counts}\n`);
    expect(failed).toEqual([]);
    await load.gifts.expectBooks({ databaseUrl: database.url });
    const ledger = (...command: string[]): string =>
      run(process.execPath, ['dist/apps/api/src/finance/cli.js', ...command], ROOT, {
        DATABASE_URL: database.url,
        NOVA_DATA_DIR: folder,
      });
    expect(ledger('verify', '--catch-up')).toContain('All is well.');
    // Its status says whether every row is the same.
    ledger('rebuild', 'all');
  });
});

/** Members and an application that use an installation all the time: it counts their requests, and keeps what failed. */
class Load {
  private readonly over = { over: false };
  private readonly failed = new Set<string>();
  private readonly sent = { reads: 0, messages: 0, spends: 0 };
  private lanes: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly gifts: GiftLoad,
    private urls: readonly string[],
  ) {}

  static async begin(url: string): Promise<Load> {
    const admin = await member(url, ADMIN_EMAIL);
    const members: TestMember[] = [];
    for (let number = 0; number < MEMBERS; number += 1) {
      const one = await member(url);
      await grantNova(admin, one.id, 100_000_000);
      members.push(one);
    }
    const [initiator, host] = members as [TestMember, TestMember];
    const chatId = await requestChat(initiator, host);
    await acceptChat({ chatId, initiator, host });
    // One who writes on and on ends no chat.
    await send(host, chatId, 'Hello.');
    const application = await registerApplication(host);
    const token = await authorize({ browser: () => new TestBrowser(url) }, initiator, application);

    const load = new Load(new GiftLoad(members, [url]), [url]);
    const calls = await readsOf(url, [admin, initiator]);
    expect(calls.length).toBeGreaterThan(80);
    const gifts = async (): Promise<void> => {
      const answers = await load.gifts.sendUntil(load.over, 2);
      for (const { status, code } of answers) if (status !== 201) load.failed.add(`a gift: ${status} ${code ?? ''}`);
    };
    const readers = Array.from({ length: READERS }, (_, reader) =>
      load.repeat(async (turn) => {
        const { who, target, status } = calls[(turn * READERS + reader) % calls.length] ?? { status: 0, target: '' };
        load.sent.reads += 1;
        return who && load.expectStatus(status, target, (server) => at(server, who).get(target));
      }),
    );
    const messages = load.repeat((turn) => {
      load.sent.messages += 1;
      return load.expectStatus(201, 'a message', (server) =>
        at(server, initiator).post(`/api/chats/${chatId}/messages`, { message: `Message ${turn}` }),
      );
    });
    const spends = load.repeat(() => {
      load.sent.spends += 1;
      const headers = { ...bearer(token.value), 'idempotency-key': uuidv7() };
      return load.expectStatus(201, 'a spend', (server) =>
        new TestBrowser(server).post('/api/tokens/spend', { amount: 0.01 }, headers),
      );
    });
    load.lanes = Promise.all([gifts(), ...readers, messages, spends]);
    return load;
  }

  goTo(urls: readonly string[]): void {
    this.urls = urls;
    this.gifts.urls = urls;
  }

  async end(): Promise<{ readonly failed: readonly string[]; readonly counts: string }> {
    this.over.over = true;
    await this.lanes;
    const { reads, messages, spends } = this.sent;
    const counts = `${reads} reads, ${this.gifts.sent} gifts, ${messages} messages and ${spends} spends of an application`;
    return { failed: [...this.failed].toSorted(), counts };
  }

  private async repeat(act: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; !this.over.over; turn += 1) {
      await act(turn);
      await sleep(10);
    }
  }

  private async expectStatus(
    expected: number,
    what: string,
    ask: (server: string) => Promise<TestAnswer>,
  ): Promise<void> {
    const { urls } = this;
    const place = Math.floor(Math.random() * urls.length);
    const answer = await ask(urls[place] ?? '').catch((error: unknown) => ({ status: 0, body: String(error) }));
    if (answer.status === expected) return;
    const said: unknown = answer.status === 0 ? answer.body : answer.body?.code;
    this.failed.add(
      `${what}: ${answer.status} ${String(said)} instead of ${expected} at server ${place + 1} of ${urls.length}`,
    );
  }
}

interface Read {
  readonly who: TestMember;
  readonly target: string;
  readonly status: number;
}

/** Every call of a release that reads and takes nothing in its path, by each of these, with the status it has. */
async function readsOf(url: string, readers: readonly TestMember[]): Promise<Read[]> {
  const { paths } = (await new TestBrowser(url).get('/api/openapi.json')).body as { paths: Record<string, object> };
  const targets = Object.entries(paths).filter(([target, calls]) => 'get' in calls && !target.includes('{'));
  const reads: Read[] = [];
  for (const who of readers) {
    for (const [target] of targets) {
      const { status } = await at(url, who).get(target);
      reads.push({ who, target, status });
    }
  }
  return reads;
}

const member = (url: string, email?: string): Promise<TestMember> =>
  registerMember(new TestBrowser(url), email === undefined ? {} : { email });

function reasonToSkip(): string | undefined {
  if (!IS_THOROUGH) return 'it installs and builds another release: npm test -- test/machinery/rolling-upgrade.spec.ts';
  const there = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${release}^{commit}`], { cwd: ROOT });
  return there.status === 0 ? undefined : `this copy of the sources has no tag ${release}`;
}

function run(program: string, values: readonly string[], cwd: string, settings: Record<string, string> = {}): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|JEST_|NODE_ENV$)/.test(name)));
  const { status, error, stdout, stderr } = spawnSync(program, values, {
    cwd,
    env: { ...env, ...settings },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${values.join(' ')}: ${String(error ?? '')}\n${stdout}\n${stderr}`);
  return stdout;
}
