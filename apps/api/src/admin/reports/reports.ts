import { Injectable } from '@nestjs/common';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { type MemberReport, MemberReports } from '../../members/member-reports.js';
import { offsetOf, paginationOf } from '../page.dto.js';
import type { ReportDto, ReportPartyDto, ReportsDto, ReportsQueryDto } from './reports.dto.js';

/** Reports of members, newest first. */
@Injectable()
export class Reports {
  constructor(
    private readonly reports: MemberReports,
    private readonly directory: MemberDirectory,
  ) {}

  async page(query: ReportsQueryDto): Promise<ReportsDto> {
    const { status, limit } = query;
    const { rows, total } = await this.reports.page({ status, limit, offset: offsetOf(query) });
    const members = await this.directory.find(rows.flatMap((row) => [row.reporter_id, row.reported_id]));
    return {
      reports: rows.map((row) => toReport(row, members)),
      pagination: paginationOf(query, total),
    };
  }
}

const toReport = (row: MemberReport, members: ReadonlyMap<string, DirectoryMember>): ReportDto => ({
  id: row.id,
  reporter: toParty(row.reporter_id, members),
  reported: toParty(row.reported_id, members),
  text: row.text,
  chatId: row.chat_id,
  createdAt: row.created_at.toISOString(),
  closedAt: row.closed_at?.toISOString() ?? null,
});

function toParty(id: string, members: ReadonlyMap<string, DirectoryMember>): ReportPartyDto {
  const { displayName = DELETED_MEMBER, profileImageUrl = null } = members.get(id) ?? {};
  return { id, displayName, profileImageUrl };
}
