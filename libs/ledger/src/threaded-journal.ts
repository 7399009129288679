import { on } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import { LEDGER_STREAM } from '@app/domain';
import { openEventStore, StoreUnavailable, type EventStore } from '@app/event-store';
import { BrokenChain } from './hash-chain.js';
import {
  ForeignJournal,
  type JournalHead,
  type JournalSource,
  type LinkedEvent,
  StoreJournal,
} from './journal-reader.js';

/** Where the thread finds the store. */
export interface StoreAddress {
  readonly databaseUrl: string;
  readonly eventStoreUrl: string | undefined;
}

interface Errand {
  readonly address: StoreAddress;
  readonly from: JournalHead;
  readonly upTo: number | undefined;
}

/** Many events in one text, which is far cheaper to hand over than they are: type, data and hash, each on a line. */
interface LinkedText {
  readonly first: number;
  readonly count: number;
  readonly text: string;
}

/** What the thread says: a batch, why it gave up, or that it is through. */
type Said = LinkedText | { readonly failed: string; readonly name: string } | 'through';

/** For fewer events starting a thread takes longer than it saves. */
const FAR = 50_000;
/** Batches on their way: the thread works while these are looked at, and gets no further ahead. */
const AHEAD = 4;
const LINES = 3;
const FAILURES: readonly (new (message: string) => Error)[] = [BrokenChain, ForeignJournal, StoreUnavailable];

/**
 * The journal, read and checked by a thread of its own where there is much to read: whoever evolves the events has the other
 * half of the work. A short way is read here.
 */
export class ThreadedJournal implements JournalSource {
  private readonly near: StoreJournal;

  /** @param entry the compiled module that calls `serveJournal` */
  constructor(
    private readonly store: EventStore,
    private readonly address: StoreAddress,
    private readonly entry: URL,
    private readonly far = FAR,
  ) {
    this.near = new StoreJournal(store);
  }

  async *linked(from: JournalHead, upTo?: number): AsyncGenerator<readonly LinkedEvent[]> {
    const last = upTo ?? (await this.store.head(LEDGER_STREAM))?.revision ?? -1;
    if (last - from.revision < this.far) yield* this.near.linked(from, upTo);
    else yield* this.fromThread({ address: this.address, from, upTo });
  }

  private async *fromThread(errand: Errand): AsyncGenerator<readonly LinkedEvent[]> {
    const worker = new Worker(this.entry, { workerData: errand });
    try {
      for await (const [said] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[Said]>) {
        if (said === 'through') return;
        if ('failed' in said) throw failureOf(said);
        worker.postMessage('next');
        yield linkedEvents(said);
      }
      throw new Error('the thread that reads the journal ended before it was through');
    } finally {
      await worker.terminate();
    }
  }
}

function failureOf({ name, failed }: { readonly name: string; readonly failed: string }): Error {
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

/** The thread's side: reads, checks and sends until it is through. */
export async function serveJournal(port: MessagePort, { address, from, upTo }: Errand): Promise<void> {
  const { databaseUrl, eventStoreUrl } = address;
  const allowance = new Allowance();
  port.on('message', () => allowance.give());
  const say = (said: Said) => port.postMessage(said);
  let store: EventStore | undefined;
  try {
    store = await openEventStore({ databaseUrl, ...(eventStoreUrl !== undefined && { eventStoreUrl }) });
    for await (const events of new StoreJournal(store).linked(from, upTo)) {
      if (events.length === 0) continue;
      await allowance.take();
      say(linkedText(events));
    }
    say('through');
  } catch (error) {
    say({
      name: error instanceof Error ? error.name : '',
      failed: error instanceof Error ? error.message : String(error),
    });
  } finally {
    await store?.close();
    port.close();
  }
}

function linkedText(events: readonly LinkedEvent[]): LinkedText {
  const lines: string[] = [];
  for (const { type, data, hash } of events) lines.push(type, data, hash);
  return { first: events[0]?.revision ?? 0, count: events.length, text: lines.join('\n') };
}

/** @throws BrokenChain an event has a line break, which no append could have written */
function linkedEvents({ first, count, text }: LinkedText): LinkedEvent[] {
  const lines = text.split('\n');
  if (lines.length !== count * LINES) throw new BrokenChain(`an event after revision ${first} has a line break`);
  return Array.from({ length: count }, (_, n) => {
    const at = n * LINES;
    return { revision: first + n, type: lines[at] ?? '', data: lines[at + 1] ?? '', hash: lines[at + 2] ?? '' };
  });
}
