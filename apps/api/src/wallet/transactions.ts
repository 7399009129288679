import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { ROW_LABELS, type StatementType } from '@app/domain';
import { ACCRUED_DESCRIPTION, renderDescription, type StatementLine, type StatementRow } from '@app/projections';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../identity/member-directory.js';
import { Applications } from '../oauth/applications.js';
import { InjectPool } from '../platform/database/database.module.js';
import { isUuid } from '../platform/uuid.js';
import { LaterEvents } from './later-events.js';
import { toNova } from './nova-amount.js';
import type { PartyDto, TransactionDto } from './wallet.dto.js';

/** Names by id, looked up for some rows. */
interface Names {
  readonly members: ReadonlyMap<string, DirectoryMember>;
  readonly applications: ReadonlyMap<string, string>;
  readonly quests: ReadonlyMap<string, string>;
  /** The ids of those events that were reversed. */
  readonly reversed: ReadonlySet<string>;
}

/** Rows of movements that can be reversed. */
const REVERSIBLE_ROWS: ReadonlySet<StatementType> = new Set([
  'gift_send',
  'gift_receive',
  'admin_grant',
  'admin_deduct',
  'app_spend',
  'app_earn',
]);

/** Statement rows as the API shows them, names rendered on reading. */
@Injectable()
export class Transactions {
  constructor(
    private readonly directory: MemberDirectory,
    private readonly applications: Applications,
    private readonly later: LaterEvents,
    @InjectPool() private readonly pool: pg.Pool,
  ) {}

  /** A line of several rows is called by their type. */
  async render(lines: readonly StatementLine[]): Promise<TransactionDto[]> {
    const rows = lines.map(({ row }) => row);
    const names = await this.namesFor(
      rows,
      rows.flatMap((row) => row.counterpartyId ?? []),
    );
    return lines.map((line) => renderLine(line, names));
  }

  /** As `render`, with the owners of the rows. */
  async renderWithOwners(
    rows: readonly StatementRow[],
  ): Promise<
    { readonly owner: DirectoryMember | undefined; readonly transaction: TransactionDto; readonly row: StatementRow }[]
  > {
    const names = await this.namesFor(
      rows,
      rows.flatMap((row) => [row.userId, row.counterpartyId ?? row.userId]),
    );
    return rows.map((row) => ({
      owner: names.members.get(row.userId),
      transaction: renderLine({ row, count: 1, amount: row.amount }, names),
      row,
    }));
  }

  /** The rows' sentences, and the same with ids for those who cannot show every name. */
  async describe(rows: readonly StatementRow[]): Promise<{ readonly withNames: string; readonly withIds: string }[]> {
    const names = await this.namesFor(
      rows,
      rows.flatMap((row) => row.counterpartyId ?? []),
    );
    return rows.map((row) => ({
      withNames: describeRow(row, names),
      withIds: renderDescription(row, {
        member: (id) => (names.members.get(id)?.closed === false ? id : undefined),
        application: (clientId) => (names.applications.has(clientId) ? clientId : undefined),
        quest: (id) => (names.quests.has(id) ? id : undefined),
      }),
    }));
  }

  private async namesFor(rows: readonly StatementRow[], memberIds: readonly string[]): Promise<Names> {
    const clientIds = new Set(rows.flatMap((row) => row.clientId ?? []));
    const [members, applications, quests, reversed] = await Promise.all([
      this.directory.find(memberIds),
      this.applications.names([...clientIds]),
      this.questTitles(rows.flatMap(({ type, subject }) => (type === 'quest_reward' ? (subject ?? []) : []))),
      this.later.reversed(rows.flatMap(({ type, eventId }) => (REVERSIBLE_ROWS.has(type) ? [eventId] : []))),
    ]);
    return { members, applications, quests, reversed };
  }

  private async questTitles(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.pool.query<{ id: string; title: string }>(
      'select id, title from quest_directory where id = any($1)',
      [ids.filter(isUuid)],
    );
    return new Map(rows.map(({ id, title }) => [id, title]));
  }
}

const describeRow = (row: StatementRow, { members, applications, quests }: Names): string =>
  renderDescription(row, {
    member: (id) => members.get(id)?.displayName,
    application: (clientId) => applications.get(clientId),
    quest: (id) => quests.get(id),
  });

function renderLine({ row, count, amount }: StatementLine, names: Names): TransactionDto {
  const counterpartyId = count === 1 ? row.counterpartyId : null;
  return {
    id: row.id,
    type: row.type,
    amount: toNova(amount),
    shortfall: toNova(row.shortfall),
    balanceAfter: toNova(row.balance),
    description: count === 1 ? describeRow(row, names) : ROW_LABELS[row.type],
    counterparty: counterpartyId === null ? null : toParty(counterpartyId, names.members.get(counterpartyId)),
    eventId: row.eventId,
    isReversed: names.reversed.has(row.eventId),
    count,
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * The row for Nova that pools owe and have not yet credited. With it the rows add up to the Nova balance (rule
 * wallet-5).
 */
export const accruedRow = (
  { owed, nova }: { readonly owed: bigint; readonly nova: bigint },
  at: Date,
): TransactionDto => ({
  id: 'accrued',
  type: 'accrued',
  amount: toNova(owed),
  shortfall: 0,
  balanceAfter: toNova(nova),
  description: ACCRUED_DESCRIPTION,
  counterparty: null,
  eventId: null,
  isReversed: false,
  count: 1,
  createdAt: at.toISOString(),
});

export const toParty = (id: string, member: DirectoryMember | undefined): PartyDto => ({
  id: member === undefined || member.closed ? null : id,
  displayName: member?.displayName ?? DELETED_MEMBER,
  profileImageUrl: member?.profileImageUrl ?? null,
});
