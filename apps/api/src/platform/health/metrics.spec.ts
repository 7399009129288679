import { ProjectionMetrics } from '../journal/projection-metrics.js';
import { LedgerMetrics } from '../ledger/observed-ledger.js';
import { Metrics } from './metrics.js';

const POOL = { totalCount: 3, idleCount: 1, waitingCount: 0 };
const gone = (): Promise<never> => Promise.reject(new Error('the thread that feeds read models has ended'));
const watch = (...[journal, ledger, metrics]: [object, object, Metrics]): ProjectionMetrics => {
  type Watched = ConstructorParameters<typeof ProjectionMetrics>;
  return new ProjectionMetrics(journal as Watched[0], ledger as Watched[1], metrics);
};
const count = (writer: object, metrics: Metrics): LedgerMetrics =>
  new LedgerMetrics(metrics, writer as ConstructorParameters<typeof LedgerMetrics>[1]);

describe('Metrics', () => {
  it('tells of the other parts when one cannot tell', async () => {
    const metrics = new Metrics();
    metrics.watchPool('projections', gone);
    metrics.watchPool('api', () => POOL);
    const told = await metrics.registry.metrics();
    expect(told).toContain('nova_pg_pool_connections{pool="api",state="busy"} 2');
    expect(told).not.toContain('pool="projections"');
  });

  it('keeps no old figure of a part that can no longer tell', async () => {
    const metrics = new Metrics();
    const looks = [() => Promise.resolve(POOL), gone];
    metrics.watchPool('projections', () => (looks.shift() ?? gone)());
    expect(await metrics.registry.metrics()).toContain('pool="projections"');
    expect(await metrics.registry.metrics()).not.toContain('pool="projections"');
  });

  it('takes nothing from a scrape while another is under way', async () => {
    const metrics = new Metrics();
    const asked: Record<string, ((use: typeof POOL) => void)[]> = { api: [], projections: [] };
    const answer = async (pool: string, scrape: number): Promise<void> => {
      asked[pool]?.[scrape]?.(POOL);
      await new Promise(setImmediate);
    };
    for (const pool of Object.keys(asked)) {
      metrics.watchPool(pool, () => new Promise((resolve) => asked[pool]?.push(resolve)));
    }
    const scrapes = [metrics.registry.metrics()];
    await new Promise(setImmediate);
    await answer('api', 0);
    scrapes.push(metrics.registry.metrics());
    await new Promise(setImmediate);
    await answer('projections', 0);
    await answer('api', 1);
    await answer('projections', 1);
    for (const told of await Promise.all(scrapes)) {
      expect(told).toContain('nova_pg_pool_connections{pool="api",state="busy"} 2');
      expect(told).toContain('nova_pg_pool_connections{pool="projections",state="busy"} 2');
    }
  });

  it('tells of everything else while read models cannot', async () => {
    const metrics = new Metrics();
    metrics.watchPool('api', () => POOL);
    watch({ store: {}, projections: { status: gone, foreignEvents: gone, unsigned: gone } }, { head: gone }, metrics);
    expect(await metrics.registry.metrics()).toContain('nova_pg_pool_connections{pool="api",state="idle"} 1');
  });

  // Prometheus sees no increase in what is there only from the first time on.
  it('tells of unknown outcomes before there is one, since an alert waits for their increase', async () => {
    const metrics = new Metrics();
    count({ revision: 0, backlog: 0, stats: { appends: 0, events: 0, conflicts: 0, retries: 0 } }, metrics);
    const told = await metrics.registry.metrics();
    for (const type of ['SendGift', 'HoldChatPayment', 'ClosePeriod']) {
      expect(told).toContain(`nova_ledger_commands_total{type="${type}",outcome="unknown"} 0\n`);
    }
  });
});
