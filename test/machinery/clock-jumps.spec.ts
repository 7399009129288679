import type { Pool, QueryConfig } from 'pg';
import type { OpenLedger } from '../../apps/api/src/platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { GiftLoad } from './gift-load.js';

jest.setTimeout(180_000);

const HOUR_MS = 3_600_000;
const MEMBERS = 3;
/** Forwards, back beyond where it began, and to the right time again. */
const JUMPS_MS = [2 * HOUR_MS, -3 * HOUR_MS, 0];

interface Clock {
  pool: Pick<Pool, 'query'>;
  check(): Promise<void>;
  wallClock: () => number;
}

/**
 * The clocks of the database and of two servers jump (rule ledger-30). Commands wait until the servers know what time it is, and
 * the journal's time never goes back.
 */
describe('a clock that jumps under two servers', () => {
  let servers: TestApi[];
  let load: GiftLoad;
  let offsetMs = 0;

  beforeAll(async () => {
    const { api, admin } = await signInAdmin(startTestApi);
    const other = await startTestApi({ database: api.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
    servers = [api, other];
    const members: TestMember[] = [];
    for (let number = 0; number < MEMBERS; number += 1) {
      const member = await api.member();
      await grantNova(admin, member.id, 10_000_000);
      members.push(member);
    }
    load = new GiftLoad(
      members,
      servers.map(({ url }) => url),
    );
    for (const clock of clocks()) {
      clock.pool = { query: shifted(clock.pool) };
      clock.wallClock = () => Date.now() + offsetMs;
    }
  });
  afterAll(async () => {
    for (const server of servers?.toReversed() ?? []) await server.close();
  });

  const clocks = (): Clock[] =>
    servers.map(({ nova }) => nova.app.get<OpenLedger>(OPEN_LEDGER).clock as unknown as Clock);
  /** The database's answer to what time it is, moved. */
  const shifted = (pool: Pick<Pool, 'query'>): Pool['query'] =>
    (async (question: QueryConfig) => {
      const { rows } = await pool.query<{ ms: string }>(question);
      return { rows: rows.map(({ ms }) => ({ ms: String(Number(ms) + offsetMs) })) };
    }) as unknown as Pool['query'];
  const check = async (): Promise<void> => {
    for (const clock of clocks()) await clock.check();
  };

  it('takes no command meanwhile, loses none, and never goes back in the journal', async () => {
    expect((await load.send(6)).map(({ status }) => status)).toEqual(Array(6).fill(201));
    for (const jumpMs of JUMPS_MS) {
      offsetMs = jumpMs;
      await check();
      const refused = await load.send(4);
      expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['503 BUSY']));
      await check();
      expect((await load.send(6)).map(({ status }) => status)).toEqual(Array(6).fill(201));
    }
    await load.settle();
    const [api] = servers;
    if (!api) throw new Error('there are two servers');
    const { rows } = await api.database.pool.query<{ at: string }>(
      `select e.data::json ->> 'at' as at from journal.events e join journal.streams s on s.id = e.stream
       where s.name = 'ledger' order by e.revision`,
    );
    const times = rows.map(({ at }) => new Date(Number.isNaN(Number(at)) ? at : Number(at)).getTime());
    expect(times.every((time) => time > 0)).toBe(true);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    // It jumped: what came after the first jump was dated later by as much.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(HOUR_MS);
    await load.expectBooks({ databaseUrl: api.database.url, isAhead: true });
  });
});
