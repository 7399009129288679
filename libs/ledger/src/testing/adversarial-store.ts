import {
  AppendOutcomeUnknown,
  MemoryEventStore,
  StoreUnavailable,
  type AppendResult,
  type EventBatches,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '@app/event-store';

/** What a network may do to an append. */
export type Fate = 'deliver' | 'lose-answer' | 'lose-request' | 'deliver-late' | 'unavailable';

/**
 * A real store behind a bad network: answers get lost after the write, requests get lost before it, and some arrive again
 * long after their sender gave up on them.
 */
export class AdversarialStore implements EventStore {
  readonly maxAppendBytes: number;
  private readonly late: (() => Promise<unknown>)[] = [];

  constructor(
    private readonly inner: MemoryEventStore,
    private readonly fate: () => Fate,
  ) {
    this.maxAppendBytes = inner.maxAppendBytes;
  }

  async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    await this.deliverLate();
    await tick();
    switch (this.fate()) {
      case 'deliver':
        return this.inner.append(stream, events, expected);
      case 'unavailable':
        throw new StoreUnavailable('no connection');
      case 'lose-request':
        throw new AppendOutcomeUnknown('timed out');
      case 'lose-answer':
        await this.inner.append(stream, events, expected);
        throw new AppendOutcomeUnknown('timed out');
      case 'deliver-late':
        this.late.push(() => this.inner.append(stream, events, expected).catch(() => undefined));
        throw new AppendOutcomeUnknown('timed out');
    }
  }

  readStream(stream: string, options?: ReadOptions): EventBatches {
    return this.inner.readStream(stream, options);
  }

  readAll(options?: ReadAllOptions): EventBatches {
    return this.inner.readAll(options);
  }

  subscribeAll(options: SubscribeOptions): EventBatches {
    return this.inner.subscribeAll(options);
  }

  async head(stream: string): Promise<RecordedEvent | undefined> {
    await this.deliverLate();
    await tick();
    return this.inner.head(stream);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  private async deliverLate(): Promise<void> {
    if (this.fate() === 'deliver') await this.late.shift()?.();
  }
}

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
