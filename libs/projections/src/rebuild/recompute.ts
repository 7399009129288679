import { randomBytes } from 'node:crypto';
import { compareDigests, digestLive, digestTables, type TableComparison } from './digest.js';
import { fill } from './fill.js';
import type { RebuildOptions } from './rebuild.js';
import { ProgressReport } from './rebuild-progress.js';
import { Replica } from './replica.js';

export interface RecomputeOutcome {
  readonly name: string;
  /** Ledger revision at which both were compared. */
  readonly revision: number;
  readonly matched: boolean;
  readonly tables: readonly TableComparison[];
}

/**
 * Computes read models anew from the journal, up to where the live ones are at this moment, and compares every row. Changes
 * nothing, and runs on a live system. A read model that waits for its rebuild (its rows are of another version) is left out.
 */
export async function recomputeReadModels(options: RebuildOptions): Promise<RecomputeOutcome[]> {
  const { store, connectionString, models, signal, onProgress } = options;
  const report = await ProgressReport.begin(
    store,
    models.map(({ name }) => name),
    [onProgress],
  );
  const live = await digestLive(connectionString, models);
  const suffix = randomBytes(4).toString('hex');
  const targets: { replica: Replica; until: bigint }[] = [];
  try {
    for (const model of models) {
      const found = live.get(model.name);
      if (!found) continue;
      const schema = `read_verify_${model.name}_${suffix}`;
      const replica = await Replica.open(connectionString, model, schema, models.length);
      targets.push({ replica, until: found.checkpoint.position });
    }
    await fill({ store, targets, ...(signal && { signal }), onBatch: (events) => report.read(events) });
    report.enter('comparing');
    const outcomes: RecomputeOutcome[] = [];
    for (const { replica } of targets) {
      const { client, schema, model } = replica;
      const recomputed = await digestTables(client, schema, model.tables);
      const tables = compareDigests(live.get(model.name)?.tables ?? [], recomputed);
      const revision = live.get(model.name)?.checkpoint.revision ?? -1;
      outcomes.push({ name: model.name, revision, matched: tables.every(({ matched }) => matched), tables });
    }
    report.enter('done');
    return outcomes;
  } finally {
    await Promise.allSettled(targets.map(({ replica }) => replica.close()));
  }
}
