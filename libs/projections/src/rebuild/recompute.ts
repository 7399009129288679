import { randomBytes } from 'node:crypto';
import { DatabaseError } from 'pg';
import { keyIndex } from '../key-index/key-index.js';
import { compareDigests, digestLive, digestTables, type LiveDigest, type TableComparison } from './digest.js';
import { fill } from './fill.js';
import type { RebuildOptions } from './rebuild.js';
import { ProgressReport } from './rebuild-progress.js';
import { Replica } from './replica.js';

export interface RecomputeOutcome {
  readonly name: string;
  /** Ledger revision at which both were compared, and the position in the order of all events. */
  readonly revision: number;
  readonly position: bigint;
  readonly matched: boolean;
  readonly tables: readonly TableComparison[];
  /** A fault of the journal itself, as a sentence: a key that took effect twice. */
  readonly breach?: string;
}

const UNIQUE_VIOLATION = '23505';

/**
 * Computes read models again from the journal, up to the current position of the live ones, and compares every row.
 * Changes nothing, and runs on a live system. Leaves out read models that wait for their rebuild (their rows are of
 * another version).
 */
export async function recomputeReadModels(options: RebuildOptions): Promise<RecomputeOutcome[]> {
  const { store, connectionString, models, signal, onProgress } = options;
  const report = await ProgressReport.begin(
    store,
    models.map(({ name }) => name),
    [onProgress],
  );
  const digests = await digestLive(connectionString, models);
  const suffix = randomBytes(4).toString('hex');
  const targets: { readonly replica: Replica; readonly until: bigint; readonly live: LiveDigest }[] = [];
  try {
    for (const model of models) {
      const found = digests.get(model.name);
      if (!found) continue;
      const schema = `read_verify_${model.name}_${suffix}`;
      const replica = await Replica.open(connectionString, model, { schema, atOnce: models.length, isKept: false });
      targets.push({ replica, until: found.checkpoint.position, live: found });
    }
    await fill({ store, targets, ...(signal && { signal }), onBatch: (events) => report.read(events) });
    report.enter('comparing');
    const outcomes: RecomputeOutcome[] = [];
    for (const { replica, live } of targets) {
      const { client, schema, model } = replica;
      const recomputed = await digestTables(client, schema, model.tables);
      const tables = compareDigests(live.tables, recomputed);
      const { revision, position } = live.checkpoint;
      const matched = tables.every((table) => table.matched);
      const breach = model.name === keyIndex.name ? await repeatedKey(replica) : undefined;
      outcomes.push({ name: model.name, revision, position, matched, tables, ...(breach !== undefined && { breach }) });
    }
    report.enter('done');
    return outcomes;
  } finally {
    await Promise.allSettled(targets.map(({ replica }) => replica.close()));
  }
}

/** Invariant 3, which the index itself asserts (`keyIndex`): two rows of one key violate the index. */
async function repeatedKey({ client, model }: Replica): Promise<string | undefined> {
  try {
    await client.query(model.indexes);
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === UNIQUE_VIOLATION)) throw error;
    return `an idempotency key took effect twice: ${error.detail ?? error.message}`;
  }
}
