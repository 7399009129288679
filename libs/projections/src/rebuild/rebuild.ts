import { setTimeout as sleep } from 'node:timers/promises';
import { type EventStore, lastPosition } from '@app/event-store';
import type { ReadModel } from '../read-model.js';
import {
  compareDigests,
  differenceOf,
  digestLive,
  digestTables,
  type LiveDigest,
  type TableComparison,
} from './digest.js';
import { fill } from './fill.js';
import { ProgressReport, type OnRebuildProgress } from './rebuild-progress.js';
import { RebuildLog } from './rebuild-log.js';
import { Replica, replicaSchema } from './replica.js';
import { dropRebuildRequest, lockForSwap, readCheckpointsBy, swapIn } from './swap.js';

export type { OnRebuildProgress, RebuildProgress } from './rebuild-progress.js';

/** The part of the store that read models are made from. */
export type ReadStore = Pick<EventStore, 'readAll' | 'head'>;

export interface RebuildOptions {
  readonly store: ReadStore;
  readonly connectionString: string;
  readonly models: readonly ReadModel[];
  readonly onProgress?: OnRebuildProgress;
  readonly signal?: AbortSignal;
  /**
   * What happens to live rows that differ from the journal. They stay (`keep`, the default), so that an operator can
   * find out why, or are replaced (`replace`).
   */
  readonly onDifference?: 'keep' | 'replace';
}

export interface RebuildOutcome {
  readonly name: string;
  /** The ledger revision that the new version includes. */
  readonly revision: number;
  /** Whether the new version is the live one now. */
  readonly swapped: boolean;
  /** Whether the live version had the same rows at the same position; undefined if it was of another version. */
  readonly matched?: boolean;
  /** The difference as a sentence, if there was one. */
  readonly difference?: string;
  readonly tables: readonly TableComparison[];
}

/** Catching up is repeated until a round is this short, so that the last one, which holds locks, takes milliseconds. */
const LAST_ROUND_MS_MAX = 250;
const ROUNDS_MAX = 50;
const SWAP_TRIES_MAX = 600;
const SWAP_PAUSE_MS = 100;

/**
 * Rebuilds read models next to their live versions, which stay in use; compares both at one position; and swaps each
 * one that is the same, in one transaction. Needs no ownership: the checkpoint's lock fences the swap, and a new epoch
 * makes the owner begin again from the new tables. The journal is read once for all of them. Whatever ends the rebuild,
 * the live tables stay complete.
 * @throws RebuildUnderWay another process rebuilds one of them
 * @throws OlderThanLive one of them is of a newer release
 */
export async function rebuildReadModels(options: RebuildOptions): Promise<RebuildOutcome[]> {
  const { connectionString, models } = options;
  const names = models.map(({ name }) => name);
  const replicas: Replica[] = [];
  try {
    for (const model of models) {
      const place = { schema: replicaSchema(model.name), atOnce: models.length, isKept: true };
      replicas.push(await Replica.open(connectionString, model, place));
    }
    const log = await RebuildLog.begin(connectionString, names);
    try {
      return await rebuildInto(replicas, options, log);
    } catch (error) {
      log.ended(names, 'failed', error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      await log.close();
    }
  } finally {
    await Promise.allSettled(replicas.map((replica) => replica.close()));
  }
}

async function rebuildInto(
  replicas: readonly Replica[],
  options: RebuildOptions,
  log: RebuildLog,
): Promise<RebuildOutcome[]> {
  const names = replicas.map(({ model }) => model.name);
  const report = await ProgressReport.begin(options.store, names, [options.onProgress, log.progress]);
  await catchUp(options, replicas, report);
  report.enter('indexing');
  // The live rows are read at the same time: they are no older than the position that was caught up with.
  const [live] = await Promise.all([
    digestLive(options.connectionString, options.models),
    ...replicas.map((replica) => replica.addIndexes()),
  ]);
  report.enter('comparing');
  const compared = await compare(options, replicas, live, report);
  report.enter('swapping');
  const outcomes: RebuildOutcome[] = [];
  const wanted: Replica[] = [];
  for (const replica of replicas) {
    const { name } = replica.model;
    const difference = differenceOf(name, compared.get(name) ?? []);
    if (difference === undefined || options.onDifference === 'replace') {
      wanted.push(replica);
      continue;
    }
    await dropRebuildRequest(replica.client, name);
    log.ended([name], 'differs', `${difference} Nothing was changed.`);
    outcomes.push(outcomeOf(replica, { swapped: false, difference, tables: compared.get(name) }));
  }
  await catchUp(options, wanted, report);
  for (const replica of wanted) {
    const { name } = replica.model;
    await swap(options, replica);
    const difference = differenceOf(name, compared.get(name) ?? []);
    log.ended([name], 'done', difference ? `${difference} They were replaced.` : 'It was rebuilt and swapped in.');
    outcomes.push(outcomeOf(replica, { swapped: true, difference, tables: compared.get(name) }));
  }
  report.enter('done');
  return outcomes;
}

interface Verdict {
  readonly swapped: boolean;
  /** Undefined if the live one is of another version and was not compared. */
  readonly tables: readonly TableComparison[] | undefined;
  readonly difference: string | undefined;
}

const outcomeOf = ({ model, revision }: Replica, { swapped, tables, difference }: Verdict): RebuildOutcome => ({
  name: model.name,
  revision,
  swapped,
  tables: tables ?? [],
  ...(tables && { matched: difference === undefined }),
  ...(difference !== undefined && { difference }),
});

/** The target of each replica: the position of the live version, or the journal's end if that is of another version. */
async function goals(
  { store, models }: RebuildOptions,
  replicas: readonly Replica[],
): Promise<{ replica: Replica; until: bigint }[]> {
  const [anyReplica] = replicas;
  const checkpoints = anyReplica ? await readCheckpointsBy(anyReplica.client, models) : new Map<string, never>();
  const end = await endOf(store);
  return replicas.map((replica) => ({
    replica,
    until: livePlaceOf(replica, checkpoints.get(replica.model.name)) ?? end,
  }));
}

/**
 * The end of all streams: a store without an index of streams would read backwards until it meets a stream that a read
 * model uses.
 */
const endOf = async (store: ReadStore): Promise<bigint> => (await lastPosition(store)) ?? -1n;

const livePlaceOf = (
  { model }: Replica,
  live: { readonly version: number; readonly position: bigint } | undefined,
): bigint | undefined => (live?.version === model.version ? live.position : undefined);

async function catchUp(options: RebuildOptions, replicas: readonly Replica[], report: ProgressReport): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const beganMs = performance.now();
    const targets = await goals(options, replicas);
    await fillWith(options, targets, report);
    if (performance.now() - beganMs < LAST_ROUND_MS_MAX) return;
  }
}

const fillWith = async (
  { store, signal }: RebuildOptions,
  targets: readonly { replica: Replica; until: bigint }[],
  report?: ProgressReport,
): Promise<void> =>
  await fill({
    store,
    targets,
    ...(signal && { signal }),
    ...(report && { onBatch: (events) => report.read(events) }),
  });

async function compare(
  options: RebuildOptions,
  replicas: readonly Replica[],
  live: ReadonlyMap<string, LiveDigest>,
  report: ProgressReport,
): Promise<ReadonlyMap<string, TableComparison[]>> {
  const comparable = replicas.flatMap((replica) => {
    const found = live.get(replica.model.name);
    if (!found) return [];
    if (found.checkpoint.position < replica.position) throw new Error(`${replica.model.name} went back meanwhile`);
    return [{ replica, found }];
  });
  await fillWith(
    options,
    comparable.map(({ replica, found }) => ({ replica, until: found.checkpoint.position })),
    report,
  );
  const compared = new Map<string, TableComparison[]>();
  for (const { replica, found } of comparable) compared.set(replica.model.name, await compareOne(replica, found));
  return compared;
}

async function compareOne(replica: Replica, live: LiveDigest): Promise<TableComparison[]> {
  return compareDigests(live.tables, await digestTables(replica.client, replica.schema, replica.model.tables));
}

/**
 * Swaps one replica in. It waits for readers that hold the live tables for long, without blocking others in the
 * meantime.
 */
async function swap(options: RebuildOptions, replica: Replica): Promise<void> {
  for (let tries = 1; ; tries++) {
    options.signal?.throwIfAborted();
    const live = await lockForSwap(replica);
    if (live) {
      await swapIn(replica, live, async () => {
        const until = livePlaceOf(replica, live) ?? (await endOf(options.store));
        await fillWith(options, [{ replica, until }]);
      });
      return;
    }
    if (tries === SWAP_TRIES_MAX) throw new Error(`the tables of ${replica.model.name} are read without a pause`);
    await sleep(SWAP_PAUSE_MS);
    await fillWith(options, await goals(options, [replica]));
  }
}
