import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { REPORT_MAX } from '@app/domain';
import { IsUUID, ValidateIf } from 'class-validator';
import type { MessageResponse } from '../../identity/message.dto.js';
import { tookNoEffect } from '../../platform/errors/app-error.js';
import { MemberText } from '../../platform/text.js';
import { MemberRelations, type Towards } from '../member-relations.js';
import { MemberReports } from '../member-reports.js';

/** `POST /api/users/{id}/report`. */
export class ReportMemberDto {
  @ApiProperty({ minLength: 1, maxLength: REPORT_MAX })
  @MemberText(
    { min: 1, max: REPORT_MAX },
    { message: `Please say in 1 to ${REPORT_MAX} characters what happened.`, context: { code: 'INVALID_REPORT' } },
  )
  text: string;

  /** The chat that it is about. */
  @IsUUID('all', { message: 'The chatId is not the id of a chat.' })
  @ValidateIf((_, value: unknown) => value !== undefined && value !== null)
  chatId?: string;
}

export class ReportMember extends Command<MessageResponse> {
  constructor(
    readonly towards: Towards,
    readonly report: ReportMemberDto,
  ) {
    super();
  }
}

/** Reports reach the admin (rule members-4). */
@CommandHandler(ReportMember)
export class ReportMemberHandler implements ICommandHandler<ReportMember> {
  constructor(
    @Inject(MemberRelations) private readonly relations: Pick<MemberRelations, 'act'>,
    @Inject(MemberReports) private readonly reports: Pick<MemberReports, 'write' | 'discard'>,
  ) {}

  /**
   * Removes the text of a report that was certainly not made. A report that may have been made keeps its text.
   * @throws AppError 400 oneself or no words, 404
   */
  async execute({ towards, report }: ReportMember): Promise<MessageResponse> {
    const { memberId, otherId } = towards;
    const { text, chatId = null } = report;
    const reportId = await this.reports.write({ reporterId: memberId, reportedId: otherId, chatId, text });
    try {
      await this.relations.act(towards, { type: 'Report', reportId });
    } catch (error) {
      if (tookNoEffect(error)) await this.reports.discard(reportId);
      throw error;
    }
    return { message: 'Thank you. Your report was sent to the admins.' };
  }
}
