import { type JournalClock, LedgerWriter } from '@app/ledger';
import { MemoryEventStore } from '@app/event-store';
import type pg from 'pg';
import { emptyIndex, grant, ManualClock } from '../../../../../libs/ledger/src/testing/writers.js';
import { Metrics } from '../health/metrics.js';
import { ReadinessChecks } from '../health/readiness.js';
import { LedgerHealth } from './ledger.module.js';
import type { OpenLedger } from './open-ledger.js';

const DAY_MS = 86_400_000;

/** What is said of a ledger whose last event is so much later than its clock now. */
async function told(aheadMs: number, more: Partial<OpenLedger> & { clock?: Partial<JournalClock> } = {}) {
  const clock = new ManualClock();
  const writer = new LedgerWriter({ store: new MemoryEventStore(), clock, keyIndex: emptyIndex });
  await writer.start();
  await writer.execute(grant('ada', 1n));
  await writer.stop();
  clock.ms -= aheadMs;
  Object.assign(clock, more.clock);
  const checks = new ReadinessChecks({ query: () => Promise.resolve() } as unknown as pg.Pool);
  const metrics = new Metrics();
  const connections = { totalCount: 0, idleCount: 0, waitingCount: 0 };
  const ledger = { connections, breaches: 0, ...more, writer, clock } as unknown as OpenLedger;
  expect(new LedgerHealth(ledger, checks, metrics)).toBeDefined();
  const figures = (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('nova_journal_'));
  return { ...(await checks.run()), figures };
}

test('a journal that is not ahead and holds what commands make is well', async () => {
  expect(await told(0)).toMatchObject({
    journal: { ok: true },
    clock: { ok: true },
    figures: ['nova_journal_breaches 0', 'nova_journal_stopped 0', 'nova_journal_ahead_seconds 0'],
  });
});

test('journal time that is ahead is told, and borne', async () => {
  expect(await told(30 * DAY_MS)).toMatchObject({
    journal: { ok: false, bearable: true, detail: expect.stringMatching(/^journal time is 30 days ahead: .*Z until/) },
    figures: [
      'nova_journal_breaches 0',
      'nova_journal_stopped 0',
      `nova_journal_ahead_seconds ${(30 * DAY_MS) / 1_000}`,
    ],
  });
});

test('events that no command makes are told, and borne', async () => {
  expect(await told(0, { breaches: 3 })).toMatchObject({
    journal: { ok: false, bearable: true, detail: '3 events are not what any command makes: run verify' },
    figures: ['nova_journal_breaches 3', 'nova_journal_stopped 0', 'nova_journal_ahead_seconds 0'],
  });
});

test('a clock that is off is told with its reason', async () => {
  const clock = { ready: false, trouble: 'the clock is more than a second off' };
  expect(await told(0, { clock } as never)).toMatchObject({ clock: { ok: false, detail: clock.trouble } });
});
