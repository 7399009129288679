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

/** A subscription looks for news so often, though nothing woke it, and again after a failure. */
const LOOK_EVERY_MS = 2_000;
const AGAIN_MS = 100;

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
      () => this.options.store.append(stream, copies, expected),
      () => new AppendOutcomeUnknown('timed out'),
    );
  }

  head(stream: string): Promise<RecordedEvent | undefined> {
    return this.ask('head', () => this.options.store.inner.head(stream));
  }

  async *readStream(stream: string, options: ReadOptions = {}): EventBatches {
    const { inner } = this.options.store;
    const { from, limit = Infinity, direction } = options;
    if (direction === 'backwards') {
      yield* await this.ask('readStream', () => all(inner.readStream(stream, options)));
      return;
    }
    let next = from ?? 0;
    let left = limit;
    while (left > 0) {
      const size = Math.min(left, this.pageSize());
      const page = { from: next, limit: size };
      const batch = (await this.ask('readStream', () => all(this.options.store.inner.readStream(stream, page)))).flat();
      if (batch.length > 0) yield batch;
      if (batch.length < size) return;
      next += batch.length;
      left -= batch.length;
    }
  }

  async *readAll(options: ReadAllOptions = {}): EventBatches {
    const { after, limit = Infinity, direction } = options;
    let place = after;
    let left = limit;
    while (left > 0 && options.signal?.aborted !== true) {
      const size = Math.min(left, this.pageSize());
      const page = { ...options, limit: size, ...(place === undefined ? {} : { after: place }) };
      const batch = (await this.ask('readAll', () => all(this.options.store.inner.readAll(page)))).flat();
      if (batch.length > 0) yield batch;
      if (batch.length < size || direction === 'backwards') return;
      place = batch.at(-1)?.position;
      left -= batch.length;
    }
  }

  async *subscribeAll({ after, streamPrefixes, signal }: SubscribeOptions): EventBatches {
    let place = after;
    while (!signal.aborted) {
      const { appends } = this.options.store;
      let found = false;
      try {
        const from = { ...(place === undefined ? {} : { after: place }), ...(streamPrefixes && { streamPrefixes }) };
        for await (const batch of this.readAll({ ...from, signal })) {
          place = batch.at(-1)?.position;
          found = true;
          yield batch;
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        await this.pause(AGAIN_MS, signal);
      }
      if (!found && appends === this.options.store.appends) await this.pause(LOOK_EVERY_MS, signal);
    }
  }

  /** Until the store has something new, at most so long. */
  private pause(ms: number, signal: AbortSignal): Promise<void> {
    const { world, process, store } = this.options;
    return new Promise((resolve) => {
      const end = (): void => {
        task.run = undefined;
        store.waiting.delete(wake);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const wake = (): void => {
        store.waiting.delete(wake);
        world.after(this.delay('subscribeAll'), end, process);
      };
      const task = world.after(ms, end, process);
      store.waiting.add(wake);
      signal.addEventListener('abort', end, { once: true });
    });
  }

  private pageSize(): number {
    return 1 + this.options.world.random.below(PAGE_MAX);
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
      // A connection to a store that another one has replaced breaks: no call goes to the other before a caller knows.
      const isBroken = this.life !== life;
      if (isBroken || faults.strikes('refused by the store', part)) {
        givingUp.run = undefined;
        const refuse = (): void => {
          if (isBroken) this.life = life;
          reject(new StoreUnavailable('refused'));
        };
        world.after(1, refuse, process);
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
