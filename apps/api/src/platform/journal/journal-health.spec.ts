import type { RecordedEvent } from '@app/event-store';
import type { ReadModelStatus } from '@app/projections';
import type { Pool } from 'pg';
import { Metrics } from '../health/metrics.js';
import { type Readiness, ReadinessChecks } from '../health/readiness.js';
import { JournalHealth } from './journal-health.js';
import type { Journal } from './journal.js';

const HEAD = 1_000_000;
const pool = { query: () => Promise.resolve() } as unknown as Pool;

function healthOf(models: { current: ReadModelStatus[] }): () => Promise<Readiness | undefined> {
  const checks = new ReadinessChecks(pool);
  const ledger = { head: () => Promise.resolve({ revision: HEAD } as RecordedEvent) };
  const journal = {
    projections: { status: () => Promise.resolve(models.current), connections: () => pool },
  } as unknown as Journal;
  expect(new JournalHealth(journal, ledger, checks, new Metrics(), pool)).toBeDefined();
  return async () => (await checks.run())['projections'];
}

const model = (name: string, change: Partial<ReadModelStatus> = {}): ReadModelStatus => ({
  name,
  state: 'live',
  revision: HEAD,
  isOfOtherVersion: false,
  ...change,
});

describe('the health of read models', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('is well with nothing behind', async () => {
    await expect(healthOf({ current: [model('balances'), model('daily')] })()).resolves.toEqual({ ok: true });
  });

  it('waits at the start until what is far behind has caught up, and bears it later', async () => {
    const models = { current: [model('balances', { revision: 0 }), model('daily')] };
    const health = healthOf(models);
    await expect(health()).resolves.toEqual({ ok: false, detail: `balances is ${HEAD} events behind` });
    nowMs = 60_000;
    models.current = [model('balances', { revision: 500_000 }), model('daily')];
    await expect(health()).resolves.toEqual({ ok: false, detail: 'balances is 500000 events behind' });
    models.current = [model('balances'), model('daily')];
    await expect(health()).resolves.toEqual({ ok: true });
    models.current = [model('balances', { revision: 0 }), model('daily')];
    await expect(health()).resolves.toEqual({
      ok: false,
      bearable: true,
      detail: `balances is ${HEAD} events behind`,
    });
  });

  it('does not wait for one that stands still, which fails perhaps on another server', async () => {
    const health = healthOf({ current: [model('daily', { revision: 0, state: 'standby' })] });
    await expect(health()).resolves.not.toHaveProperty('bearable');
    nowMs = 10_000;
    await expect(health()).resolves.toMatchObject({ ok: false, bearable: true });
  });

  it('bears one that fails, and names it', async () => {
    const failing = model('daily', { state: 'failing', revision: HEAD - 5, error: 'no such column' });
    await expect(healthOf({ current: [model('balances'), failing] })()).resolves.toEqual({
      ok: false,
      bearable: true,
      detail: 'daily is failing: no such column',
    });
  });

  it('does not bear one of another release', async () => {
    await expect(healthOf({ current: [model('daily', { isOfOtherVersion: true })] })()).resolves.toEqual({
      ok: false,
      detail: 'daily: being rebuilt for another release',
    });
  });
});
