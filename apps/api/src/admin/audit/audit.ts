import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import { offsetOf, paginationOf } from '../page.dto.js';
import type { AuditDto, AuditEntryDto, AuditQueryDto } from './audit.dto.js';

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

/** Everything that admins did, newest first (rule admin-2). */
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

/** The target is no member and has no name: an e-mail address, a period, a payment, a read model, limits, watches. */
const NOT_OF_MEMBERS = /^(?:Email|BooksClosed|Difference|ReadModelRebuildOrdered|ControlsChanged|Watch)/;
/** The target may be a member, or a file or limits. Members stay in the directory when their account is closed. */
const OF_ANYTHING = /^Appro/;

function toEntry(row: Row, members: ReadonlyMap<string, DirectoryMember>): AuditEntryDto {
  const nameOf = (id: string): string => members.get(id)?.displayName ?? DELETED_MEMBER;
  const { target_id: targetId } = row;
  const isNamed = targetId !== null && !NOT_OF_MEMBERS.test(row.action);
  const hasName = isNamed && (members.has(targetId) || !OF_ANYTHING.test(row.action));
  return {
    id: row.event_id,
    adminId: row.admin_id,
    adminName: nameOf(row.admin_id),
    action: row.action,
    targetId,
    targetName: hasName ? nameOf(targetId) : null,
    subjectId: row.subject_id,
    amount: row.amount === null ? null : toNova(BigInt(row.amount)),
    rating: row.rating,
    reason: row.reason,
    createdAt: row.at.toISOString(),
  };
}
