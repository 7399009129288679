import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { type GiftAnswer, GiftLoad } from './gift-load.js';
import { IS_THOROUGH } from './thorough.js';

jest.setTimeout(240_000);

const MEMBERS = 4;
/** What the API gives itself for an answer: the command's 10 s after a session that is asked for no longer than 15 s. */
const ANSWER_MS_MAX = 30_000;
const RECOVERY_MS_MAX = 60_000;
/** Everything that only listens must notice by itself that nothing comes any more. */
const LISTENERS = ['event-store listen', 'nova changes', 'nova projections listen', 'nova relay'];

/** Each trouble with the way to Postgres: nothing that was answered is lost, nothing is doubled, and it passes by itself. */
describe('a bad line to the database', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let api: TestApi;
  let load: GiftLoad;

  beforeAll(async () => {
    database = await createTestDatabase('trouble');
    const through = await TcpProxy.toUrl(database.url);
    ({ proxy } = through);
    const signedIn = await signInAdmin(startTestApi, { database: { ...database, url: through.url } });
    ({ api } = signedIn);
    const members: TestMember[] = [];
    for (let number = 0; number < MEMBERS; number += 1) {
      const member = await api.member();
      await grantNova(signedIn.admin, member.id, 100_000_000);
      members.push(member);
    }
    load = new GiftLoad(members, [api.url]);
  });

  afterAll(async () => {
    proxy?.heal();
    await api?.close();
    await proxy?.close();
    await database?.drop();
  });

  const statuses = (answers: readonly GiftAnswer[]): number[] =>
    [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b);
  const isReady = (): Promise<boolean> =>
    fetch(`${api.url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );

  /** Mends the line, waits until all is well, and settles accounts. */
  const recover = async (): Promise<number> => {
    const healedAt = performance.now();
    proxy.heal();
    while (!(await isReady())) {
      if (performance.now() - healedAt > RECOVERY_MS_MAX) throw new Error('it did not recover by itself');
      await sleep(50);
    }
    const recoveredMs = Math.round(performance.now() - healedAt);
    await load.settle();
    await load.expectBooks({ databaseUrl: database.url });
    return recoveredMs;
  };
  const expectInTime = (answers: readonly GiftAnswer[]): void => {
    for (const answer of answers) {
      expect([201, 503]).toContain(answer.status);
      expect(answer.ms).toBeLessThan(ANSWER_MS_MAX);
    }
  };

  it('that is slow makes answers late, and nothing else', async () => {
    proxy.slow(40);
    const answers = await load.send(30);
    expect(statuses(answers)).toEqual([201]);
    expect(Math.min(...answers.map(({ ms }) => ms))).toBeGreaterThan(80);
    await recover();
  });

  it('that is cut again and again loses nothing', async () => {
    const over = { over: false };
    const sending = load.sendUntil(over, 8);
    for (let cuts = 0; cuts < 12; cuts += 1) {
      const before = load.sent;
      // At another moment of a command each time.
      while (load.sent < before + 3 + (cuts % 4)) await sleep(1);
      if (cuts % 2 === 0) proxy.cut();
      else proxy.cutNextAnswer(8 + cuts * 5);
    }
    over.over = true;
    expectInTime(await sending);
    const recoveredMs = await recover();
    process.stderr.write(`  12 cuts under ${load.sent} gifts: well again ${recoveredMs} ms after the last\n`);
  });

  if (IS_THOROUGH) {
    it('that refuses is answered with 503, at once or at the deadline', async () => {
      proxy.refuse();
      const answers = await load.send(6);
      expect(statuses(answers)).toEqual([503]);
      expectInTime(answers);
      const recoveredMs = await recover();
      process.stderr.write(`  refused: well again ${recoveredMs} ms after it was mended\n`);
    });
  }

  if (IS_THOROUGH) {
    it('that swallows everything is answered with 503, and connections that hang are made anew', async () => {
      const over = { over: false };
      const sending = load.sendUntil(over, 6);
      const before = load.sent;
      while (load.sent < before + 20) await sleep(1);
      proxy.halfDie();
      over.over = true;
      const answers = [...(await sending), ...(await load.send(4))];
      expectInTime(answers);
      expect(statuses(answers)).toContain(503);
      expect(await isReady()).toBe(false);
      const [{ now: healedAt } = { now: new Date() }] = (await database.pool.query<{ now: Date }>('select now()')).rows;
      const recoveredMs = await recover();
      expect(await madeSince(database.url, healedAt)).toEqual(LISTENERS);
      const slowest = Math.round(Math.max(...answers.map(({ ms }) => ms)));
      process.stderr.write(
        `  half-dead: answers within ${slowest} ms; well again ${recoveredMs} ms after it was mended\n`,
      );
    });
  }
});

/** Waits until every listener has a connection that was made after a moment. */
async function madeSince(databaseUrl: string, since: Date): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const deadline = Date.now() + RECOVERY_MS_MAX; ; await sleep(100)) {
      const { rows } = await client.query<{ name: string }>(
        `select distinct application_name as name from pg_stat_activity
         where datname = current_database() and application_name = any($1) and backend_start >= $2 order by 1`,
        [LISTENERS, since],
      );
      if (rows.length === LISTENERS.length || Date.now() > deadline) return rows.map(({ name }) => name);
    }
  } finally {
    await client.end();
  }
}
