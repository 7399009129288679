import { setTimeout as pause } from 'node:timers/promises';
import { LEDGER_STREAM } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { lastPositions, type ProjectionLogger, ProjectionRunner, READ_SCHEMA, readModels } from '@app/projections';
import type pg from 'pg';

/** After this time without progress, waiting for a read model is given up. */
const STANDS_STILL_MS = 10_000;
const LOOK_MS = 100;

/** A read model's position in the ledger and in the global order. */
export interface Reached {
  readonly revision: number;
  readonly position: bigint;
  /** Some process, which was heard of within seconds, keeps it up with the journal. */
  readonly isFed: boolean;
}

/** The position that read models must reach. */
export interface ReadModelsGoal {
  /** The ledger's. */
  readonly revision: number;
  /** Where each read model must be in the order of all events, by its name. */
  readonly written: ReadonlyMap<string, bigint>;
}

export interface CatchUpOptions {
  readonly store: EventStore;
  readonly pool: pg.Pool;
  readonly connectionString: string;
  readonly logger: ProjectionLogger;
  /** In ledger events: of the read model that is furthest behind, or of those that are made anew. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Brings every read model to where the journal ends now, as a server would, and beside servers that run. What fails or stands
 * still is left where it is: whoever compares afterwards finds it.
 */
export async function catchUpReadModels({
  store,
  pool,
  connectionString,
  logger,
  onProgress,
}: CatchUpOptions): Promise<void> {
  const written = await lastPositions(store, readModels);
  const revision = (await store.head(LEDGER_STREAM))?.revision ?? -1;
  let rebuilt = 0;
  const runner = new ProjectionRunner({
    store,
    connectionString,
    models: readModels,
    logger,
    onRebuildProgress: ({ eventsDone, eventsTotal }) => {
      rebuilt += 1;
      onProgress?.(eventsDone, eventsTotal);
    },
  });
  await runner.start();
  try {
    const onLook = (least: number): void => {
      if (rebuilt === 0) onProgress?.(least + 1, revision + 1);
    };
    await waitForReadModels(pool, { revision, written }, { onLook, otherProgress: () => rebuilt });
  } finally {
    await runner.stop();
  }
}

interface WaitOptions {
  /** Told the least revision of all read models. */
  readonly onLook?: (revision: number) => void;
  /** A number that changes while something goes on that no read model shows yet. */
  readonly otherProgress?: () => number;
}

/**
 * What was appended moments ago is still on its way: waits for as long as anything moves. What nobody feeds is not waited for.
 * @returns how far each read model came
 */
export async function waitForReadModels(
  pool: pg.Pool,
  { revision, written }: ReadModelsGoal,
  { onLook, otherProgress }: WaitOptions = {},
): Promise<ReadonlyMap<string, Reached>> {
  let seen = '';
  let movedAtMs = performance.now();
  for (;;) {
    const reached = await checkpoints(pool);
    const isThere = ([name, position]: [string, bigint]): boolean => {
      const at = reached.get(name);
      return at !== undefined && at.revision >= revision && at.position >= position;
    };
    const all = [...written.keys()].map((name) => reached.get(name)?.revision ?? -1);
    onLook?.(Math.min(...all));
    const late = [...written].filter((goal) => !isThere(goal));
    if (!late.some(([name]) => reached.get(name)?.isFed)) return reached;
    const now = `${[...reached.values()].map(({ position }) => position).join()} ${otherProgress?.() ?? ''}`;
    if (now !== seen) [seen, movedAtMs] = [now, performance.now()];
    if (performance.now() - movedAtMs > STANDS_STILL_MS) return reached;
    await pause(LOOK_MS);
  }
}

/** By the name of the read model. */
async function checkpoints(pool: pg.Pool): Promise<ReadonlyMap<string, Reached>> {
  const { rows } = await pool.query<{ name: string; revision: string; position: string; is_fed: boolean }>(
    `select name, revision, position, lease_until > clock_timestamp() as is_fed
     from ${READ_SCHEMA}.checkpoint order by name`,
  );
  return new Map(
    rows.map(({ name, revision, position, is_fed: isFed }) => [
      name,
      { revision: Number(revision), position: BigInt(position), isFed },
    ]),
  );
}
