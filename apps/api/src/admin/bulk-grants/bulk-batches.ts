import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import { offsetOf, paginationOf } from '../page.dto.js';
import type { BulkBatchDto, BulkBatchesDto, BulkMode } from './bulk-grants.dto.js';

/** A row's result, without its words and addresses. */
export interface RowOutcome {
  readonly userId: string | null;
  readonly eventId: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

export interface BulkBatch {
  readonly batchId: string;
  readonly adminId: string;
  readonly fileHash: string;
  readonly mode: BulkMode;
  readonly rows: number;
  /** Whom the rows meant when the batch began, in their order; null for a row that meant nobody. Null of a batch from before this was kept. */
  readonly memberIds: readonly (string | null)[] | null;
  readonly createdAt: Date;
  /** Null until every row has its answer. */
  readonly outcomes: readonly RowOutcome[] | null;
  readonly granted: number;
  /** Minor units. */
  readonly total: bigint;
}

interface BatchRow {
  readonly batch_id: string;
  readonly admin_id: string;
  readonly file_hash: string;
  readonly mode: BulkMode;
  readonly row_count: number;
  readonly member_ids: readonly (string | null)[] | null;
  readonly created_at: Date;
  readonly outcomes: readonly RowOutcome[] | null;
  readonly granted: number;
  readonly total_minor: string;
}

/** The batches that admins granted (`bulk_grant`): which file, when, and what became of it. The journal says what was granted. */
@Injectable()
export class BulkBatches {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly directory: MemberDirectory,
  ) {}

  async find(batchId: string): Promise<BulkBatch | undefined> {
    const { rows } = await this.pool.query<BatchRow>('select * from bulk_grant where batch_id = $1', [batchId]);
    return rows[0] && toBatch(rows[0]);
  }

  /** The unfinished batch of this file, else the first. */
  async ofFile(fileHash: string): Promise<BulkBatch | undefined> {
    const { rows } = await this.pool.query<BatchRow>(
      'select * from bulk_grant where file_hash = $1 order by outcomes is null desc, created_at limit 1',
      [fileHash],
    );
    return rows[0] && toBatch(rows[0]);
  }

  /** Begins a batch; false where it is there already, or its file is and `again` is not meant. */
  async begin(
    batch: Pick<BulkBatch, 'batchId' | 'adminId' | 'fileHash' | 'mode' | 'rows' | 'memberIds'>,
    { again }: { readonly again: boolean },
  ): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `insert into bulk_grant (batch_id, admin_id, file_hash, mode, row_count, member_ids, again)
       select $1, $2, $3, $4, $5, $6, $7 where $7 or not exists (select from bulk_grant where file_hash = $3)
       on conflict do nothing`,
      [batch.batchId, batch.adminId, batch.fileHash, batch.mode, batch.rows, batch.memberIds, again],
    );
    return rowCount === 1;
  }

  /** Whoever comes second with the same batch finds the same answers in the ledger: the first to write them stays. */
  async finish(batchId: string, outcomes: readonly RowOutcome[], total: bigint): Promise<void> {
    const granted = outcomes.filter(({ eventId }) => eventId !== null).length;
    await this.pool.query(
      `update bulk_grant set outcomes = $2, granted = $3, total_minor = $4, finished_at = now()
       where batch_id = $1 and outcomes is null`,
      [batchId, JSON.stringify(outcomes), granted, total],
    );
  }

  /** Nothing of it was granted: the file counts as never sent. */
  async forget(batchId: string): Promise<void> {
    await this.pool.query('delete from bulk_grant where batch_id = $1 and outcomes is null', [batchId]);
  }

  async page(page: { readonly page: number; readonly limit: number }): Promise<BulkBatchesDto> {
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<BatchRow>('select * from bulk_grant order by created_at desc, batch_id desc limit $1 offset $2', [
        page.limit,
        offsetOf(page),
      ]),
      this.pool.query<{ total: number }>('select count(*)::int as total from bulk_grant'),
    ]);
    return {
      batches: await Promise.all(rows.map((row) => this.render(toBatch(row)))),
      pagination: paginationOf(page, counted.rows[0]?.total ?? 0),
    };
  }

  async render(batch: BulkBatch): Promise<BulkBatchDto> {
    const { batchId, adminId, mode, createdAt, rows, granted, total } = batch;
    const admin = (await this.directory.find([adminId])).get(adminId);
    return {
      batchId,
      admin: { id: adminId, displayName: admin?.displayName ?? DELETED_MEMBER },
      mode,
      createdAt: createdAt.toISOString(),
      finished: batch.outcomes !== null,
      rows,
      granted,
      total: toNova(total),
    };
  }
}

const toBatch = (row: BatchRow): BulkBatch => ({
  batchId: row.batch_id,
  adminId: row.admin_id,
  fileHash: row.file_hash,
  mode: row.mode,
  rows: row.row_count,
  memberIds: row.member_ids,
  createdAt: row.created_at,
  outcomes: row.outcomes,
  granted: row.granted,
  total: BigInt(row.total_minor),
});
