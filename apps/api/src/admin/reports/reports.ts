import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { offsetOf, paginationOf } from '../page.dto.js';
import type { ReportDto, ReportPartyDto, ReportsDto, ReportsQueryDto } from './reports.dto.js';

interface Row {
  readonly id: string;
  readonly reporter_id: string;
  readonly reported_id: string;
  readonly chat_id: string | null;
  readonly text: string;
  readonly created_at: Date;
  readonly closed_at: Date | null;
}

const WHERE = { open: 'where closed_at is null', closed: 'where closed_at is not null', all: '' } as const;

/** Reports of members, newest first. */
@Injectable()
export class Reports {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly directory: MemberDirectory,
  ) {}

  async page(query: ReportsQueryDto): Promise<ReportsDto> {
    const where = WHERE[query.status];
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<Row>(
        `select * from member_reports ${where} order by created_at desc, id desc limit $1 offset $2`,
        [query.limit, offsetOf(query)],
      ),
      this.pool.query<{ total: number }>(`select count(*)::int as total from member_reports ${where}`),
    ]);
    const members = await this.directory.find(rows.flatMap((row) => [row.reporter_id, row.reported_id]));
    return {
      reports: rows.map((row) => toReport(row, members)),
      pagination: paginationOf(query, counted.rows[0]?.total ?? 0),
    };
  }
}

const toReport = (row: Row, members: ReadonlyMap<string, DirectoryMember>): ReportDto => ({
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
