import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { MemberReports } from '../../members/member-reports.js';
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

/** `POST /api/admin/reports/{id}/close`. */
@CommandHandler(CloseReport)
export class CloseReportHandler implements ICommandHandler<CloseReport> {
  constructor(
    private readonly reports: MemberReports,
    private readonly moderation: Moderation,
  ) {}

  /** @throws AppError 404 there is none that is open, 503 */
  async execute({ adminId, reportId: subjectId, requestId }: CloseReport): Promise<MessageResponse> {
    const closed = await this.reports.close(subjectId, adminId, (targetId) =>
      this.moderation.recordOnce({ type: 'ReportClosed', adminId, targetId, subjectId, reasonId: null }, requestId),
    );
    if (!closed) throw notFound('This open report');
    return { message: 'The report is closed.' };
  }
}
