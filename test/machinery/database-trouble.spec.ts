import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { IS_THOROUGH } from './thorough.js';
import {
  expectInTime,
  expectNothingLostByCuts,
  expectSlowAnswers,
  RECOVERY_MS_MAX,
  slowest,
  statuses,
  TroubledApi,
} from './troubled-api.js';

jest.setTimeout(240_000);

/** Connections that only listen must notice by themselves that nothing arrives any more. */
const LISTENERS = ['nova listen'];

/**
 * After each kind of trouble with the connection to Postgres: nothing answered is lost, nothing is doubled, and the
 * product recovers by itself.
 */
describe('a bad line to the database', () => {
  let troubled: TroubledApi;

  beforeAll(async () => {
    troubled = await TroubledApi.start();
  });
  afterAll(() => troubled?.close());

  it('that is slow makes answers late, and nothing else', () => expectSlowAnswers(troubled));

  it('that is cut again and again loses nothing', () => expectNothingLostByCuts(troubled));

  if (IS_THOROUGH) {
    it('that refuses is answered with 503, at once or at the deadline', async () => {
      troubled.proxy.refuse();
      const answers = await troubled.load.send(6);
      expect(statuses(answers)).toEqual([503]);
      expectInTime(answers);
      const recoveredMs = await troubled.recover();
      process.stderr.write(`  refused: well again ${recoveredMs} ms after it was mended\n`);
    });
  }

  if (IS_THOROUGH) {
    it('that swallows everything is answered with 503, and connections that hang are made anew', async () => {
      const answers = await troubled.halfDieUnderLoad();
      expectInTime(answers);
      expect(statuses(answers)).toContain(503);
      expect(await troubled.isReady()).toBe(false);
      const { database } = troubled;
      const [{ now: healedAt } = { now: new Date() }] = (await database.pool.query<{ now: Date }>('select now()')).rows;
      const recoveredMs = await troubled.recover();
      expect(await madeSince(database.url, healedAt)).toEqual(LISTENERS);
      process.stderr.write(
        `  half-dead: answers within ${slowest(answers)} ms; well again ${recoveredMs} ms after it was mended\n`,
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
