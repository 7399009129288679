import type { PeriodSealed } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { PeriodTree, rootOf } from '@app/ledger';
import type pg from 'pg';
import { walkJournal } from '../journal-walk.js';
import { headAfter } from './sealed-periods.js';

const HASH_BYTES = 32;

/**
 * One hash for each block of a period's events, so that a receipt need not read the whole period. Derived: what is not
 * there, or does not lead to the sealed root, is made again from the journal.
 */
export class PeriodBlocks {
  constructor(
    private readonly pool: Pick<pg.Pool, 'query'>,
    private readonly store: EventStore,
  ) {}

  async save({ number }: Pick<PeriodSealed, 'number'>, blocks: readonly string[]): Promise<void> {
    await this.pool.query(
      `insert into period_blocks (number, hashes) values ($1, $2)
       on conflict (number) do update set hashes = excluded.hashes`,
      [number, Buffer.from(blocks.join(''), 'hex')],
    );
  }

  /** @param previous the period before it. @throws BrokenChain, or an Error: the journal no longer yields the sealed root */
  async of(period: PeriodSealed, previous: PeriodSealed | undefined): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ hashes: Buffer }>('select hashes from period_blocks where number = $1', [
      period.number,
    ]);
    const kept = rows[0] ? split(rows[0].hashes) : [];
    if (kept.length > 0 && rootOf(kept) === period.root) return kept;
    const tree = new PeriodTree(period.blinding);
    for await (const { event, head } of walkJournal(this.store, {
      after: headAfter(previous),
      upTo: period.lastRevision,
    })) {
      tree.add({ revision: head.revision, event, chainHash: head.hash });
    }
    if (tree.root !== period.root) throw new Error(`the journal no longer yields the root of period ${period.number}`);
    await this.save(period, tree.blocks);
    return tree.blocks;
  }
}

const split = (hashes: Buffer): string[] =>
  Array.from({ length: hashes.length / HASH_BYTES }, (_, n) =>
    hashes.toString('hex', n * HASH_BYTES, (n + 1) * HASH_BYTES),
  );
