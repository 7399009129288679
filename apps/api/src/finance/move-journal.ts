import {
  type EventBatches,
  type EventStore,
  holdJournal,
  type RecordedEvent,
  setJournalAside,
  WrongExpectedRevision,
} from '@app/event-store';
import { eventAt } from '@app/ledger';
import { holdCheckpoints, startReadModelsAnew } from '@app/projections';
import type { Pool, PoolClient } from 'pg';
import { followChatsAfter, followedChats } from '../chats/process/chat-process.js';
import { followedForNotices, followForNoticesAfter } from '../notices/notice-process.js';
import { followedForWebhooks, followForWebhooksAfter } from '../webhooks/webhook-process.js';
import { BatchedAppends } from './batched-appends.js';

/** How often progress is told, in events. */
const TELL_EVERY = 1_000;

export interface MoveOptions {
  /** The journal in Postgres. */
  readonly from: EventStore;
  readonly to: EventStore;
  /** Of the database that has the journal and what is made of it. */
  readonly pool: Pool;
  /** Then the other store must tell where its events are in the order of all: see `StreamSignatures`. */
  readonly isSigned?: boolean;
  readonly onProgress?: (what: 'Comparing' | 'Copying', done: number, total: number) => void;
}

/** The journal cannot be moved there, or not now. */
class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

/**
 * Copies every event of every stream from Postgres to another store, in the order of all events and byte for byte the same, compares
 * both from the first event to the last, and only then leaves the copy as the journal: what is in Postgres gets another name, so that
 * no server writes there by mistake, and read models are made anew, because places in the order are each store's own. Nothing
 * is appended in Postgres meanwhile. A move that was interrupted is continued by the same call.
 * @returns how many events were moved
 * @throws MoveRefused a server runs, there is nothing to move, or the other store has other events
 */
export async function moveJournal(options: MoveOptions): Promise<number> {
  const client = await options.pool.connect();
  try {
    await client.query('begin');
    const total = await holdAll(client);
    if (total === 0) throw new MoveRefused('The journal in Postgres has no event: there is nothing to move.');
    await copyAfter(options, await compare(options, { total }), total);
    if (options.isSigned) await requirePositions(options.to);
    const followed = [await followedChats(client), await followedForNotices(client), await followedForWebhooks(client)];
    const { done, processed } = await compare(options, { total, followed, upTo: await endOf(options) });
    if (done < total) throw new MoveRefused(`The event store has ${done} of ${total} events. Move the journal again.`);
    await switchOver(client, processed);
    await client.query('commit');
    return total;
  } catch (error) {
    // Where the connection is gone, so is the transaction.
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

async function requirePositions(store: EventStore): Promise<void> {
  const first = await eventAt(store, 0);
  if (!first || first.position >= 0n) return;
  throw new MoveRefused('A signed journal needs EventStoreDB 22.6 or newer. Older versions report no positions.');
}

/** @returns how many events there are. @throws MoveRefused a server runs */
async function holdAll(client: PoolClient): Promise<number> {
  const owner = await holdCheckpoints(client);
  if (owner !== undefined) throw new MoveRefused(`A server uses this journal (${owner}). Stop all servers first.`);
  return holdJournal(client);
}

interface Compared {
  /** How many events both have, from the first on. */
  readonly done: number;
  /** The last of them, as Postgres has it. */
  readonly last: RecordedEvent | undefined;
  /** Where the copy has the last event up to each of `followed`; −1 where there is none. */
  readonly processed: readonly bigint[];
}

interface Comparison {
  readonly total: number;
  /** Positions in Postgres. */
  readonly followed?: readonly bigint[];
  /** A position in the copy which it surely has. */
  readonly upTo?: bigint;
}

/** Reads both side by side, until the copy ends. @throws MoveRefused they differ, or the copy has more */
async function compare({ from, to, onProgress }: MoveOptions, given: Comparison): Promise<Compared> {
  const { total, followed = [], upTo } = given;
  const copies = eventsOf(to.readAll(upTo === undefined ? {} : { upTo }));
  const processed = followed.map(() => -1n);
  let done = 0;
  let last: RecordedEvent | undefined;
  try {
    for await (const event of eventsOf(from.readAll())) {
      const { value: copy } = await copies.next();
      if (!copy) break;
      if (!isSame(event, copy)) throw foreign(copy);
      last = event;
      done += 1;
      for (const [index, position] of followed.entries()) {
        if (event.position <= position) processed[index] = copy.position;
      }
      if (done % TELL_EVERY === 0) onProgress?.('Comparing', done, total);
    }
    const { value: more } = await copies.next();
    if (more) throw foreign(more);
  } finally {
    await copies.return(undefined);
  }
  onProgress?.('Comparing', done, total);
  return { done, last, processed };
}

async function* eventsOf(batches: EventBatches): AsyncGenerator<RecordedEvent, undefined, undefined> {
  for await (const batch of batches) yield* batch;
}

const isSame = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream &&
  one.revision === other.revision &&
  one.id === other.id &&
  one.type === other.type &&
  one.data === other.data &&
  one.metadata === other.metadata;

const foreign = ({ stream, revision }: RecordedEvent): MoveRefused =>
  new MoveRefused(
    `The event store has other events than this journal (revision ${revision} of ${stream}). Use an empty one.`,
  );

/** Appends what follows the last event that both have. */
async function copyAfter(
  { from, to, onProgress }: MoveOptions,
  { done, last }: Compared,
  total: number,
): Promise<void> {
  const appends = new BatchedAppends(to);
  let copied = done;
  try {
    for await (const event of eventsOf(from.readAll(last ? { after: last.position } : {}))) {
      await appends.add(event.stream, event.revision, event);
      copied += 1;
      if (copied % TELL_EVERY === 0) onProgress?.('Copying', copied, total);
    }
    await appends.flush();
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    throw new MoveRefused(`Something else writes to the event store (${error.stream}).`, { cause: error });
  }
  onProgress?.('Copying', copied, total);
}

/** Where the copy's last event is, of the store's newest state. */
async function endOf({ from, to }: MoveOptions): Promise<bigint | undefined> {
  for await (const [last] of from.readAll({ direction: 'backwards', limit: 1 })) {
    return last && (await to.head(last.stream))?.position;
  }
  return undefined;
}

async function switchOver(
  client: PoolClient,
  [chats = -1n, notices = -1n, webhooks = -1n]: readonly bigint[],
): Promise<void> {
  await setJournalAside(client);
  await startReadModelsAnew(client);
  await followChatsAfter(client, chats);
  await followForNoticesAfter(client, notices);
  await followForWebhooksAfter(client, webhooks);
  await client.query('update public.journal_checkpoints set position = null');
}
