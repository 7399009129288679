import { Injectable } from '@nestjs/common';
import type { Approval } from '@app/domain';
import type { Pool } from 'pg';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { notFound } from '../../platform/errors/app-error.js';
import { toNova } from '../../wallet/nova-amount.js';
import { offsetOf, paginationOf } from '../page.dto.js';
import type { ApprovalDto, ApprovalsDto, ApprovalsQueryDto } from './approvals.dto.js';

interface Row {
  readonly approval_id: string;
  readonly kind: string;
  readonly admin_id: string;
  readonly target_id: string;
  readonly amount: string | null;
  readonly details: string;
  readonly reason: string | null;
  readonly requested_at: Date;
  readonly expires_at: Date;
  readonly status: Approval['status'];
  readonly is_expired: boolean;
  readonly decided_by: string | null;
  readonly decided_at: Date | null;
  readonly decision_reason: string | null;
  readonly event_id: string | null;
  readonly refusal: string | null;
  readonly message: string | null;
}

const WAITING = `status = 'waiting' and expires_at > now()`;

const SELECT = `
  select a.*, a.status = 'waiting' and a.expires_at <= now() as is_expired,
    (select r.reason from admin_reason r where r.id::text = a.reason_id) as reason,
    (select r.reason from admin_reason r where r.id::text = a.decision_reason_id) as decision_reason
  from read.approvals a`;

/** Carried out by the call that approved them, unless that takes longer than this. */
const LEFT_ALONE_SECONDS = 5;
const TAKEN_UP_MAX = 20;

/** What waits for a second admin, and what has waited (rule admin-20). */
@Injectable()
export class ApprovalList {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly directory: MemberDirectory,
  ) {}

  /** The newest first. */
  async page(query: ApprovalsQueryDto): Promise<ApprovalsDto> {
    const condition = query.status === 'waiting' ? WAITING : 'true';
    const [{ rows }, counted] = await Promise.all([
      this.pool.query<Row>(`${SELECT} where ${condition} order by requested_at desc, approval_id limit $1 offset $2`, [
        query.limit,
        offsetOf(query),
      ]),
      this.pool.query<{ waiting: number; total: number }>(
        `select count(*) filter (where ${WAITING})::int as waiting, count(*) filter (where ${condition})::int as total
         from read.approvals`,
      ),
    ]);
    const { waiting = 0, total = 0 } = counted.rows[0] ?? {};
    return { approvals: await this.render(rows), waiting, pagination: paginationOf(query, total) };
  }

  /** @throws AppError 404 */
  async one(id: string): Promise<ApprovalDto> {
    const { rows } = await this.pool.query<Row>(`${SELECT} where approval_id = $1`, [id]);
    const [approval] = await this.render(rows);
    if (!approval) throw notFound('This act');
    return approval;
  }

  /** Approved acts that nobody seems to be at, the oldest first. */
  async unfinished(): Promise<string[]> {
    const { rows } = await this.pool.query<{ approval_id: string }>(
      `select approval_id from read.approvals
       where status = 'approved' and decided_at < now() - $1 * interval '1 second' order by decided_at limit $2`,
      [LEFT_ALONE_SECONDS, TAKEN_UP_MAX],
    );
    return rows.map(({ approval_id }) => approval_id);
  }

  private async render(rows: readonly Row[]): Promise<ApprovalDto[]> {
    const members = await this.directory.find(
      rows.flatMap(({ admin_id, target_id, decided_by }) => [admin_id, target_id, decided_by ?? admin_id]),
    );
    return rows.map((row) => toApproval(row, members));
  }
}

function toApproval(row: Row, members: ReadonlyMap<string, DirectoryMember>): ApprovalDto {
  const person = (id: string) => ({ id, displayName: members.get(id)?.displayName ?? DELETED_MEMBER });
  return {
    id: row.approval_id,
    kind: row.kind,
    status: row.is_expired ? 'expired' : row.status,
    admin: person(row.admin_id),
    target: members.has(row.target_id) ? person(row.target_id) : null,
    amount: row.amount === null ? null : toNova(BigInt(row.amount)),
    details: JSON.parse(row.details) as Record<string, unknown>,
    reason: row.reason,
    requestedAt: row.requested_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedBy: row.decided_by === null ? null : person(row.decided_by),
    decidedAt: row.decided_at?.toISOString() ?? null,
    decisionReason: row.decision_reason,
    eventId: row.event_id,
    refusal: row.refusal,
    message: row.message,
  };
}
