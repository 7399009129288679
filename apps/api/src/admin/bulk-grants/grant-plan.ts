import { Inject, Injectable } from '@nestjs/common';
import type { CommandOutcome, Ledger } from '@app/ledger';
import type { Pool } from 'pg';
import { AppError } from '../../platform/errors/app-error.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { emailKey } from '../../platform/text.js';
import { isUuid } from '../../platform/uuid.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { BulkBatch } from './bulk-batches.js';
import type { BulkMemberDto, BulkRowDto } from './bulk-grants.dto.js';
import { BrokenCsv } from './csv-rows.js';
import { type GrantRow, grantsFingerprint, readGrantRows, type RowProblem } from './grant-rows.js';

/** A row, the member whom it means, and what is wrong with it. */
export interface PlannedRow {
  readonly row: GrantRow;
  readonly member: BulkMemberDto | undefined;
  readonly problem: RowProblem | undefined;
}

export interface GrantPlan {
  readonly rows: readonly PlannedRow[];
  readonly fileHash: string;
}

/** A row that can be granted. */
export interface ReadyRow {
  readonly userId: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly reason: string;
}

export function readyRow({ row, member, problem }: PlannedRow): ReadyRow | undefined {
  if (!member || problem || row.amount === undefined) return undefined;
  return { userId: member.id, amount: row.amount, reason: row.reason };
}

const NO_MEMBER: RowProblem = { code: 'MEMBER_NOT_FOUND', message: 'There is no member with this address or id.' };

/** Reads a file of grants and judges each row without writing anything. */
@Injectable()
export class GrantPlans {
  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(LEDGER) private readonly ledger: Ledger,
  ) {}

  /** Reads the file and finds its members. @throws AppError 400 `INVALID_CSV` the file as a whole cannot be read */
  async read(csv: string): Promise<GrantPlan> {
    const rows = readRows(csv);
    const members = await this.members(rows);
    return {
      fileHash: grantsFingerprint(rows),
      rows: rows.map((row) => planned(row, row.problem ? undefined : members.get(keyOf(row.member)))),
    };
  }

  /** The same for the members whom its rows meant when its batch began, whoever has their addresses by now. */
  async asBegun(plan: GrantPlan, memberIds: BulkBatch['memberIds']): Promise<GrantPlan> {
    // Of a batch that was begun before they were kept, they are whom the rows mean now.
    if (!memberIds) return plan;
    const { rows: found } = await this.pool.query<{ id: string; display_name: string }>(
      'select id, display_name from member_directory where id = any($1)',
      [memberIds],
    );
    const members = new Map(found.map(({ id, display_name: displayName }) => [id, { id, displayName }]));
    return { ...plan, rows: plan.rows.map(({ row }, index) => planned(row, members.get(memberIds[index] ?? ''))) };
  }

  /** The same with the ledger's verdict on every row by itself: a dry run. */
  async judge(plan: GrantPlan, adminId: string): Promise<GrantPlan> {
    const rows = await Promise.all(
      plan.rows.map(async (row): Promise<PlannedRow> => {
        const ready = readyRow(row);
        if (!ready) return row;
        const { userId, amount } = ready;
        const outcome = await this.ledger.execute({
          command: { type: 'GrantNova', userId, adminId, amount },
          actor: `admin:${adminId}`,
          dryRun: true,
        });
        return { ...row, problem: refusalOf(outcome) };
      }),
    );
    return { ...plan, rows };
  }

  private async members(rows: readonly GrantRow[]): Promise<ReadonlyMap<string, BulkMemberDto>> {
    const keys = rows.filter(({ problem }) => !problem).map(({ member }) => keyOf(member));
    const { rows: found } = await this.pool.query<{ id: string; email_key: string; display_name: string }>(
      `select id, email_key, display_name from member_directory
       where closed_at is null and (id = any($1::uuid[]) or email_key = any($2))`,
      [keys.filter(isUuid), keys],
    );
    return new Map(
      found.flatMap(({ id, email_key, display_name: displayName }) => [
        [id, { id, displayName }],
        [email_key, { id, displayName }],
      ]),
    );
  }
}

const planned = (row: GrantRow, member: BulkMemberDto | undefined): PlannedRow => ({
  row,
  member,
  problem: row.problem ?? (member ? undefined : NO_MEMBER),
});

/** Ids are kept in lower case, and addresses compared so. */
const keyOf = (member: string): string => emailKey(member);

function readRows(csv: string): GrantRow[] {
  try {
    return readGrantRows(csv);
  } catch (error) {
    if (error instanceof BrokenCsv) throw new AppError(400, 'INVALID_CSV', error.message);
    throw error;
  }
}

export function refusalOf(outcome: CommandOutcome): RowProblem | undefined {
  if (outcome.status === 'accepted') return undefined;
  if (outcome.status === 'refused') return outcome.rejection;
  return { code: 'IDEMPOTENCY_KEY_REUSED', message: 'This row was granted before with different content.' };
}

/** The rows as they are shown; a member who is named twice is pointed out. */
export function renderRows(rows: readonly PlannedRow[], eventIds: readonly (string | null)[] = []): BulkRowDto[] {
  const firstLine = new Map<string, number>();
  return rows.map(({ row, member, problem }, index) => {
    const { line, member: given, amount, reason } = row;
    const earlier = member && firstLine.get(member.id);
    if (member && earlier === undefined) firstLine.set(member.id, line);
    const note = earlier === undefined ? null : `This member has an amount on line ${earlier} as well.`;
    return {
      line,
      member: member ? { id: member.id, displayName: member.displayName } : null,
      given,
      amount: amount === undefined ? null : toNova(amount),
      reason,
      ok: problem === undefined,
      code: problem?.code ?? null,
      message: problem?.message ?? note,
      eventId: eventIds[index] ?? null,
    };
  });
}
