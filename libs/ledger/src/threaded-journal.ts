import { on } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { LEDGER_STREAM } from '@app/domain';
import { openEventStore, type StoreAddress, StoreUnavailable, type EventStore } from '@app/event-store';
import { BrokenChain } from './hash-chain.js';
import { ForgedEvent } from './signing/range-reader.js';
import {
  ForeignJournal,
  type JournalHead,
  type JournalSource,
  type LinkedOptions,
  StoreJournal,
  type StoreJournalOptions,
} from './journal-reader.js';
import { type LinkedEvent } from './linked-event.js';
import { packed, type PackedEvents, unpacked } from './packed-events.js';

export interface ThreadedJournalOptions extends StoreJournalOptions {
  /** Below this number of events no thread is started. */
  readonly far?: number;
}

interface Errand {
  readonly address: StoreAddress;
  readonly from: JournalHead;
  readonly linked: LinkedOptions;
  readonly options: StoreJournalOptions;
}

/** What the thread says: a batch, why it gave up, or that it is through. */
type Said = PackedEvents | Failed | 'through';

interface Failed {
  readonly failed: string;
  readonly name: string;
  /** Of a forged event. */
  readonly revision?: number | undefined;
}

/** For fewer events starting a thread takes longer than it saves. */
const FAR = 50_000;
/** Batches on their way: the thread works while these are looked at, and gets no further ahead. */
const AHEAD = 4;
const FAILURES: readonly (new (message: string) => Error)[] = [BrokenChain, ForeignJournal, StoreUnavailable];

/**
 * The journal, read and checked by its own thread if there is much to read: the caller has the other half of the work,
 * evolving. A short journal is read here.
 */
export class ThreadedJournal implements JournalSource {
  private readonly near: StoreJournal;

  /** @param entry the compiled module that calls `serveJournal` */
  constructor(
    private readonly store: EventStore,
    private readonly address: StoreAddress,
    private readonly entry: URL,
    private readonly options: ThreadedJournalOptions = {},
  ) {
    this.near = new StoreJournal(store, options);
  }

  async *linked(from: JournalHead, linked: LinkedOptions = {}): AsyncGenerator<readonly LinkedEvent[]> {
    const last = linked.upTo ?? (await this.store.head(LEDGER_STREAM))?.revision ?? -1;
    if (last - from.revision < (this.options.far ?? FAR)) yield* this.near.linked(from, linked);
    else yield* this.fromThread({ address: this.address, from, linked, options: this.options });
  }

  private async *fromThread(errand: Errand): AsyncGenerator<readonly LinkedEvent[]> {
    const worker = new Worker(this.entry, { workerData: errand });
    try {
      for await (const [said] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[Said]>) {
        if (said === 'through') return;
        if ('failed' in said) throw failureOf(said);
        worker.postMessage('next');
        yield unpacked(said);
      }
      throw new Error('the thread that reads the journal ended before it was through');
    } finally {
      await worker.terminate();
    }
  }
}

function failureOf({ name, failed, revision }: Failed): Error {
  if (revision !== undefined) return new ForgedEvent(revision, failed);
  const Failure = FAILURES.find((known) => known.name === name) ?? Error;
  return new Failure(failed);
}

/** How many more batches the reader is ready for. */
class Allowance {
  private left = AHEAD;
  private resume: (() => void) | undefined;

  give(): void {
    this.left += 1;
    this.resume?.();
  }

  async take(): Promise<void> {
    if (this.left === 0) await new Promise<void>((resolve) => (this.resume = resolve));
    this.left -= 1;
  }
}

/** The thread's side: reads, checks and sends until the end. */
export async function serveJournal(port: MessagePort, { address, from, linked, options }: Errand): Promise<void> {
  const allowance = new Allowance();
  port.on('message', () => allowance.give());
  const say = (said: Said, handedOver: readonly ArrayBuffer[] = []) => port.postMessage(said, handedOver);
  let store: EventStore | undefined;
  try {
    store = await openEventStore(address);
    for await (const batch of new StoreJournal(store, options).linked(from, linked)) {
      if (batch.length === 0) continue;
      await allowance.take();
      const events = packed(batch);
      say(events, [events.bytes.buffer]);
    }
    say('through');
  } catch (error) {
    say({
      name: error instanceof Error ? error.name : '',
      failed: error instanceof Error ? error.message : String(error),
      revision: error instanceof ForgedEvent ? error.revision : undefined,
    });
  } finally {
    await store?.close();
    port.close();
  }
}
