import { type Checkpoint, LogTree } from '@app/ledger';
import type pg from 'pg';

/** A checkpoint as this installation keeps it. */
export interface KeptCheckpoint extends Pick<Checkpoint, 'size'> {
  /** As it leaves: text and signature. */
  readonly note: string;
  /** The id of its last event. */
  readonly lastEvent: string;
  /** The tree before its last event: whoever goes on from there sees whether that is still the one that was signed. */
  readonly tree: LogTree;
  /** Of the event before the last; undefined where there is none, or the store has changed since. */
  readonly position: bigint | undefined;
  /** Milliseconds since 1970, as the journal counts. */
  readonly madeAt: number;
}

interface Row {
  readonly size: string;
  readonly note: string;
  readonly last_event: string;
  readonly peaks: Buffer;
  readonly position: string | null;
  readonly made_at: string;
}

/** The most sent at once; the rest follow in the next round. */
const SENT_AT_ONCE = 100;

/** The checkpoints of an installation, and where each has been sent. */
export class CheckpointLog {
  constructor(private readonly pool: Pick<pg.Pool, 'query'>) {}

  async last(): Promise<KeptCheckpoint | undefined> {
    const { rows } = await this.pool.query<Row>('select * from journal_checkpoints order by size desc limit 1');
    return rows[0] && toCheckpoint(rows[0]);
  }

  async put({ size, note, lastEvent, tree, position, madeAt }: KeptCheckpoint): Promise<void> {
    await this.pool.query(
      `insert into journal_checkpoints (size, note, last_event, peaks, position, made_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [size, note, lastEvent, tree.toBytes(), position, Math.floor(madeAt)],
    );
  }

  /** Those still to be sent there, oldest first. */
  async undelivered(target: string): Promise<Pick<KeptCheckpoint, 'size' | 'note'>[]> {
    const { rows } = await this.pool.query<Row>(
      `select c.size, c.note from journal_checkpoints c
       where not exists (select from journal_checkpoint_deliveries d where d.size = c.size and d.target = $1)
       order by c.size limit ${SENT_AT_ONCE}`,
      [target],
    );
    return rows.map(({ size, note }) => ({ size: Number(size), note }));
  }

  async delivered(target: string, size: number): Promise<void> {
    await this.pool.query(
      'insert into journal_checkpoint_deliveries (target, size) values ($1, $2) on conflict do nothing',
      [target, size],
    );
  }
}

/** Of what cannot be a tree the next checkpoint begins with the first event. */
function toCheckpoint({ size, note, last_event, peaks, position, made_at }: Row): KeptCheckpoint {
  const tree = LogTree.of(Number(size) - 1, peaks);
  return {
    size: Number(size),
    note,
    lastEvent: last_event,
    tree: tree ?? LogTree.empty(),
    position: tree && position !== null ? BigInt(position) : undefined,
    madeAt: Number(made_at),
  };
}
