import { Injectable } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsUUID, Matches } from 'class-validator';
import type { Pool } from 'pg';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { EmptyIsAbsent } from '../../platform/text.js';
import { toNova } from '../../wallet/nova-amount.js';
import { PaginationDto } from '../admin.dto.js';
import { Limit, offsetOf, PageDto, paginationOf } from '../page.dto.js';

const ACTION = /^[A-Za-z]{1,40}$/;

/** `GET /api/admin/audit`. */
export class AuditQueryDto extends PageDto {
  @Limit()
  limit: number = 20;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsUUID('all', { message: 'adminId is not that of an admin.' })
  @EmptyIsAbsent()
  @IsOptional()
  adminId?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsUUID('all', { message: 'targetId is not that of a member.' })
  @EmptyIsAbsent()
  @IsOptional()
  targetId?: string;

  @ApiPropertyOptional({ description: 'The type of an event.', example: 'PasswordReset' })
  @Matches(ACTION, { message: 'action must be the type of an event.' })
  @EmptyIsAbsent()
  @IsOptional()
  action?: string;
}

/** One thing that an admin did. */
export class AuditEntryDto {
  /** Of the event. */
  id: string;
  adminId: string;
  adminName: string;
  /** The event's type. @example PasswordReset */
  action: string;
  /** The member whom it concerns. */
  targetId: string | null;
  targetName: string | null;
  /** Of a content, a report or a quest. */
  subjectId: string | null;
  /** Nova. */
  amount: number | null;
  rating: number | null;
  /** Null where nothing was said, or the words were erased. */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;
  createdAt: string;
}

export class AuditDto {
  entries: AuditEntryDto[];
  pagination: PaginationDto;
}

interface Row {
  readonly event_id: string;
  readonly admin_id: string;
  readonly action: string;
  readonly target_id: string | null;
  readonly subject_id: string | null;
  readonly amount: string | null;
  readonly rating: number | null;
  readonly reason: string | null;
  readonly at: Date;
}

const FILTERED = `
  from read.audit a
  where ($1::text is null or a.admin_id = $1) and ($2::text is null or a.target_id = $2) and ($3::text is null or a.action = $3)`;

/** Everything that admins did, newest first (`decisions.md`, Admin). */
@Injectable()
export class Audit {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly directory: MemberDirectory,
  ) {}

  async page(query: AuditQueryDto): Promise<AuditDto> {
    const { adminId, targetId, action } = query;
    const values = [adminId?.toLowerCase() ?? null, targetId?.toLowerCase() ?? null, action ?? null];
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<Row>(
        `select a.*, (select r.reason from admin_reason r where r.id::text = a.reason_id) as reason
         ${FILTERED} order by a.position desc limit $4 offset $5`,
        [...values, query.limit, offsetOf(query)],
      ),
      this.pool.query<{ total: number }>(`select count(*)::int as total ${FILTERED}`, values),
    ]);
    const members = await this.directory.find(rows.flatMap((row) => [row.admin_id, row.target_id ?? row.admin_id]));
    return {
      entries: rows.map((row) => toEntry(row, members)),
      pagination: paginationOf(query, counted.rows[0]?.total ?? 0),
    };
  }
}

/** The target is no member and has no name: an e-mail address, a period, a payment, a read model. */
const NOT_OF_MEMBERS = /^(?:Email|BooksClosed|DifferenceExplained|ReadModelRebuildOrdered)/;

function toEntry(row: Row, members: ReadonlyMap<string, DirectoryMember>): AuditEntryDto {
  const nameOf = (id: string): string => members.get(id)?.displayName ?? DELETED_MEMBER;
  const { target_id: targetId } = row;
  return {
    id: row.event_id,
    adminId: row.admin_id,
    adminName: nameOf(row.admin_id),
    action: row.action,
    targetId,
    targetName: targetId === null || NOT_OF_MEMBERS.test(row.action) ? null : nameOf(targetId),
    subjectId: row.subject_id,
    amount: row.amount === null ? null : toNova(BigInt(row.amount)),
    rating: row.rating,
    reason: row.reason,
    createdAt: row.at.toISOString(),
  };
}
