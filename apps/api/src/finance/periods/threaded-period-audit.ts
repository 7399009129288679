import { on } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { PeriodSealed } from '@app/domain';
import { type LinkedEvent, packed, type PackedEvents, readLedgerEvent, unpacked } from '@app/ledger';
import { PeriodAudit, type PeriodAuditing } from './period-audit.js';

/** Batches on their way: who gives more waits for the thread. */
const AHEAD = 4;

/** For fewer events starting a thread takes longer than it saves. */
const FAR = 50_000;

/** What the thread is told: the next events, or that there are no more. */
type Told = PackedEvents | 'end';

/** What it says: that it is through with a batch, or at the end what it found. */
type Said = 'next' | readonly string[];

/** By a thread where many events are in closed periods. @param entry when absent, all is checked here */
export function openPeriodAudit(periods: readonly PeriodSealed[], entry: URL | undefined): PeriodAuditing {
  const last = periods.at(-1)?.lastRevision ?? -1;
  return entry && last >= FAR ? new ThreadedPeriodAudit(periods, entry) : new PeriodAudit(periods);
}

/**
 * As `PeriodAudit`, by a thread of its own, which is a few batches behind. It reads the stored bytes by itself: a copy
 * of them takes less time than the texts of what was read.
 */
export class ThreadedPeriodAudit implements PeriodAuditing {
  private readonly worker: Worker;
  private readonly said: AsyncIterator<[Said]>;
  private underWay = 0;

  /** @param entry the compiled module that calls `servePeriodAudit` */
  constructor(periods: readonly PeriodSealed[], entry: URL) {
    this.worker = new Worker(entry, { workerData: periods });
    this.said = on(this.worker, 'message', { close: ['exit'] }) as AsyncIterableIterator<[Said]>;
  }

  async seeAll(batch: readonly LinkedEvent[]): Promise<void> {
    if (batch.length === 0) return;
    this.tell(packed(batch));
    this.underWay += 1;
    if (this.underWay > AHEAD) await this.next();
  }

  async end(): Promise<readonly string[]> {
    this.tell('end');
    for (;;) {
      const said = await this.next();
      if (said !== 'next') return said;
    }
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  private tell(told: Told): void {
    this.worker.postMessage(told);
  }

  /** @throws Error what ended the thread */
  private async next(): Promise<Said> {
    const { done, value } = await this.said.next();
    if (done === true) throw new Error('the thread that checks the closed periods ended before it was through');
    this.underWay -= 1;
    return value[0];
  }
}

/** The thread's side: an error ends it, and is thrown where the next answer is waited for. */
export function servePeriodAudit(port: MessagePort, periods: readonly PeriodSealed[]): void {
  const audit = new PeriodAudit(periods);
  const say = (said: Said) => port.postMessage(said);
  port.on('message', (told: Told) => {
    if (told === 'end') {
      say(audit.end());
      port.close();
    } else {
      for (const linked of unpacked(told)) audit.see(readLedgerEvent(linked), linked);
      say('next');
    }
  });
}
