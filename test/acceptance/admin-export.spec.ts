import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';

const ROWS = 200_000;
/** Far less than the export itself, which is over 40 MB. */
const GROWTH_BYTES_MAX = 20 * 1_048_576;

/** Memory in use, without the garbage of everything else in this process. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const BUSY_CLIENTS = `select count(*)::int as busy from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and state <> 'idle'
    and query like '%statements_row%' and pid <> pg_backend_pid()`;

describe('a huge export', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    const ada = await api.member({ displayName: 'Ada, the first' });
    await grantNova(admin, ada.id, 1);
    await api.database.pool.query(
      `insert into read.statements_row (revision, idx, user_id, type, amount, balance, subject, event_id, created_at)
       select 1000 + n, 0, uuid_send($1), 'admin_grant', 100, n * 100, $2, gen_random_uuid(), now()
       from generate_series(1, ${ROWS}) n`,
      [ada.id, admin.id],
    );
  });
  afterAll(() => api?.close());

  const open = (signal: AbortSignal) =>
    fetch(new URL('/api/admin/transactions.csv', api.url), {
      signal,
      headers: { cookie: admin.browser.cookie },
    });

  it('comes whole, in order, without growing memory while nobody reads on', async () => {
    const response = await open(AbortSignal.timeout(50_000));
    expect(response.headers.get('content-length')).toBeNull();
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const reader = response.body!.getReader();
    let lines = 0;
    let bytes = 0;
    const take = async (): Promise<boolean> => {
      const { done, value } = await reader.read();
      if (done) return false;
      bytes += value.length;
      for (const byte of value) if (byte === 10) lines += 1;
      return true;
    };
    await take();
    const before = usedBytes();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(usedBytes() - before).toBeLessThan(GROWTH_BYTES_MAX);
    while (await take());
    expect(lines).toBe(ROWS + 2);
    expect(bytes).toBeGreaterThan(40_000_000);
  });

  it('that is broken off leaves nothing behind', async () => {
    const abort = new AbortController();
    const response = await open(abort.signal);
    await response.body!.getReader().read();
    abort.abort();
    // Postgres' own vacuum may be working on the new rows, so only clients count.
    const busy = await eventually(
      async () => (await api.database.pool.query<{ busy: number }>(BUSY_CLIENTS)).rows[0]?.busy,
      (clients) => clients === 0,
    );
    expect(busy).toBe(0);
    expect((await admin.browser.get('/api/admin/transactions?limit=1')).status).toBe(200);
  });
});
