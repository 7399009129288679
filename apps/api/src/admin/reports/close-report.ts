import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Pool } from 'pg';
import type { MessageResponse } from '../../identity/message.dto.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { inTransaction } from '../../platform/database/in-transaction.js';
import { notFound } from '../../platform/errors/app-error.js';
import { Moderation } from '../moderation.js';

export class CloseReport extends Command<MessageResponse> {
  constructor(
    readonly adminId: string,
    readonly reportId: string,
    readonly requestId: string,
  ) {
    super();
  }
}

/** Closes an open report once that is recorded; whoever comes second waits, and finds it closed. */
@CommandHandler(CloseReport)
export class CloseReportHandler implements ICommandHandler<CloseReport> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly moderation: Moderation,
  ) {}

  /** @throws AppError 404 there is none that is open, 503 */
  execute({ adminId, reportId: subjectId, requestId }: CloseReport): Promise<MessageResponse> {
    return inTransaction(this.pool, async (client) => {
      const { rows } = await client.query<{ targetId: string }>(
        'select reported_id as "targetId" from member_reports where id = $1 and closed_at is null for update',
        [subjectId],
      );
      if (!rows[0]) throw notFound('This open report');
      const act = { type: 'ReportClosed', adminId, targetId: rows[0].targetId, subjectId, reasonId: null } as const;
      await this.moderation.recordOnce(act, requestId);
      await client.query('update member_reports set closed_at = now(), closed_by = $2 where id = $1', [
        subjectId,
        adminId,
      ]);
      return { message: 'The report is closed.' };
    });
  }
}
