import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore } from '@app/event-store';
import type { ReadModel } from '../read-model.js';
import { prefixesOf } from '../runner/decode.js';
import { lockForSwap, readCheckpointsBy, swapIn } from './swap.js';
import { compareDigests, digestLive, digestTables, type LiveDigest, type TableComparison } from './digest.js';
import { fill, lastPosition } from './fill.js';
import { ProgressReport, type OnRebuildProgress } from './rebuild-progress.js';
import { Replica } from './replica.js';

export type { OnRebuildProgress, RebuildProgress } from './rebuild-progress.js';

export interface RebuildOptions {
  readonly store: EventStore;
  readonly connectionString: string;
  readonly models: readonly ReadModel[];
  readonly onProgress?: OnRebuildProgress;
  readonly signal?: AbortSignal;
}

export interface RebuildOutcome {
  readonly name: string;
  /** Ledger revision that the new version holds. */
  readonly revision: number;
  /** Whether the live version had the same rows at the same position; undefined where it was of another version. */
  readonly matched?: boolean;
  readonly tables: readonly TableComparison[];
}

/** Catching up is repeated until a round is this short, so that the last one, behind locks, is a matter of milliseconds. */
const LAST_ROUND_MS_MAX = 250;
const ROUNDS_MAX = 50;
const SWAP_TRIES_MAX = 600;
const SWAP_PAUSE_MS = 100;

/**
 * Rebuilds read models beside their live versions, which go on; compares both at one position; and swaps each in one
 * transaction. Needs no ownership: the swap is fenced by the checkpoint's lock and by a new epoch, which makes the owner
 * begin again from what was swapped in. The journal is read once for all of them.
 * @throws RebuildUnderWay another process rebuilds one of them
 */
export async function rebuildReadModels(options: RebuildOptions): Promise<RebuildOutcome[]> {
  const { store, connectionString, models, onProgress } = options;
  const names = models.map(({ name }) => name);
  const report = await ProgressReport.begin(store, names, onProgress);
  const replicas: Replica[] = [];
  try {
    for (const model of models) replicas.push(await Replica.open(connectionString, model, `read_next_${model.name}`));
    await catchUp(options, replicas, report);
    report.enter('indexing');
    await Promise.all(replicas.map((replica) => replica.addIndexes()));
    report.enter('comparing');
    await catchUp(options, replicas, report);
    const compared = await compare(options, replicas, report);
    report.enter('swapping');
    await catchUp(options, replicas, report);
    const outcomes: RebuildOutcome[] = [];
    for (const replica of replicas) {
      const tables = compared.get(replica.model.name);
      await swap(options, replica);
      outcomes.push({
        name: replica.model.name,
        revision: replica.revision,
        tables: tables ?? [],
        ...(tables && { matched: tables.every(({ matched }) => matched) }),
      });
    }
    report.enter('done');
    return outcomes;
  } finally {
    await Promise.allSettled(replicas.map((replica) => replica.close()));
  }
}

/** Where each replica should be: at the live version's place, or at the journal's end where that is of another version. */
async function goals(
  { store, models }: RebuildOptions,
  replicas: readonly Replica[],
): Promise<{ replica: Replica; until: bigint }[]> {
  const [anyReplica] = replicas;
  const checkpoints = anyReplica ? await readCheckpointsBy(anyReplica.client, models) : new Map<string, never>();
  const targets: { replica: Replica; until: bigint }[] = [];
  for (const replica of replicas) {
    const live = checkpoints.get(replica.model.name);
    const follows = live?.version === replica.model.version;
    const until = follows ? live.position : await lastPosition(store, prefixesOf([replica.model]));
    targets.push({ replica, until });
  }
  return targets;
}

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
  report: ProgressReport,
): Promise<ReadonlyMap<string, TableComparison[]>> {
  const live = await digestLive(options.connectionString, options.models);
  const comparable = replicas.flatMap((replica) => {
    const found = live.get(replica.model.name);
    return found && found.checkpoint.position >= replica.position ? [{ replica, found }] : [];
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

/** Swaps one replica in. Readers that hold the live tables for long are waited for, without keeping others out meanwhile. */
async function swap(options: RebuildOptions, replica: Replica): Promise<void> {
  for (let tries = 1; ; tries++) {
    options.signal?.throwIfAborted();
    const live = await lockForSwap(replica);
    if (live) {
      const follows = live.version === replica.model.version;
      const until = follows ? live.position : await lastPosition(options.store, prefixesOf([replica.model]));
      await fillWith(options, [{ replica, until }]);
      await swapIn(replica, live);
      return;
    }
    if (tries === SWAP_TRIES_MAX) throw new Error(`the tables of ${replica.model.name} are read without a pause`);
    await sleep(SWAP_PAUSE_MS);
    await fillWith(options, await goals(options, [replica]));
  }
}
