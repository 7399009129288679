import {
  AppendOutcomeUnknown,
  type AppendResult,
  type EventBatches,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailable,
  type SubscribeOptions,
} from '@app/event-store';
import type { Faults } from './faults.js';
import type { SimulatedProcess } from './simulated-process.js';
import type { SimulatedStore } from './simulated-store.js';
import type { World } from './world.js';

const TIMEOUT_MS = 1_000;
const SLOW_MS_MAX = 1_500;
const DOUBLED_AFTER = 50;
const PAGE_MAX = 60;

export interface LinkOptions {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly faults: Faults;
  readonly store: SimulatedStore;
}

/** The event store as one server sees it, at the far end of a bad network. */
export class Link implements EventStore {
  /** Nothing gets through. */
  isCut = false;
  readonly maxAppendBytes = 900_000;
  private life: number;

  constructor(private readonly options: LinkOptions) {
    this.life = options.store.life;
  }

  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const copies = events.map((event) => ({ ...event }));
    return this.call(
      'append',
      () => this.options.store.inner.append(stream, copies, expected),
      () => new AppendOutcomeUnknown('timed out'),
    );
  }

  head(stream: string): Promise<RecordedEvent | undefined> {
    return this.ask('head', () => this.options.store.inner.head(stream));
  }

  async *readStream(stream: string, { from = 0, limit = Infinity }: ReadOptions = {}): EventBatches {
    const { world, store } = this.options;
    let next = from;
    let left = limit;
    while (left > 0) {
      const size = Math.min(left, 1 + world.random.below(PAGE_MAX));
      const page = { from: next, limit: size };
      const batch = (await this.ask('readStream', () => all(store.inner.readStream(stream, page)))).flat();
      if (batch.length > 0) yield batch;
      if (batch.length < size) return;
      next += batch.length;
      left -= batch.length;
    }
  }

  readAll(_options?: ReadAllOptions): EventBatches {
    throw new Error('the writer does not read all streams');
  }

  subscribeAll(_options: SubscribeOptions): EventBatches {
    throw new Error('the writer does not subscribe');
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** As `call`, for what changes nothing. */
  ask<T>(part: string, effect: () => Promise<T>): Promise<T> {
    return this.call(part, effect, () => new StoreUnavailable('timed out'));
  }

  /** There and back: each way may be slow or lost, and what was sent may arrive twice. */
  private call<T>(part: string, effect: () => Promise<T>, lost: () => Error): Promise<T> {
    const { world, process, faults, store } = this.options;
    return new Promise((resolve, reject) => {
      const givingUp = world.after(TIMEOUT_MS, () => reject(lost()), process);
      const answer = (settle: () => void): void => {
        if (this.isCut || faults.strikes('lost answer', part)) return;
        const deliver = (): void => {
          givingUp.run = undefined;
          settle();
        };
        world.after(this.delay(part), deliver, process);
      };
      const { life } = store;
      const arrive = (): void => {
        if (this.isCut || life !== store.life) return;
        if (store.isDown) {
          answer(() => reject(new StoreUnavailable('no quorum')));
          return;
        }
        effect().then(
          (value) => answer(() => resolve(value)),
          (error: Error) => answer(() => reject(error)),
        );
        if (faults.strikes('crash after a write', part)) world.after(0, () => process.kill(), process);
      };
      // A connection to a store that another one has replaced breaks.
      const isBroken = this.life !== store.life;
      this.life = store.life;
      if (isBroken || faults.strikes('refused by the store', part)) {
        givingUp.run = undefined;
        world.after(1, () => reject(new StoreUnavailable('refused')), process);
        return;
      }
      // What is on its way arrives, also when its sender has died.
      if (!faults.strikes('lost request', part)) world.after(this.delay(part), arrive);
      if (!faults.strikes('doubled request', part)) return;
      const arriveAgain = (): void => {
        if (!store.isDown && life === store.life) effect().catch(() => undefined);
      };
      world.after(this.delay(part) * DOUBLED_AFTER, arriveAgain);
    });
  }

  private delay(part: string): number {
    const { world, faults } = this.options;
    return faults.strikes('slow message', part) ? world.random.next() * SLOW_MS_MAX : 0.1 + world.random.next() * 4;
  }
}

async function all<T>(batches: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const batch of batches) list.push(batch);
  return list;
}
