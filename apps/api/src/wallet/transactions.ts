import { Injectable } from '@nestjs/common';
import { ACCRUED_DESCRIPTION, renderDescription, type StatementRow } from '@app/projections';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../identity/member-directory.js';
import { Applications } from '../oauth/applications.js';
import { toNova } from './nova-amount.js';
import type { PartyDto, TransactionDto } from './wallet.dto.js';

/** Names by id, looked up for some rows. */
interface Names {
  readonly members: ReadonlyMap<string, DirectoryMember>;
  readonly applications: ReadonlyMap<string, string>;
}

/** Statement rows as the API shows them, names rendered on reading. */
@Injectable()
export class Transactions {
  constructor(
    private readonly directory: MemberDirectory,
    private readonly applications: Applications,
  ) {}

  async render(rows: readonly StatementRow[]): Promise<TransactionDto[]> {
    const names = await this.namesFor(
      rows,
      rows.flatMap((row) => row.counterpartyId ?? []),
    );
    return rows.map((row) => renderRow(row, names));
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
      transaction: renderRow(row, names),
      row,
    }));
  }

  private async namesFor(rows: readonly StatementRow[], memberIds: readonly string[]): Promise<Names> {
    const clientIds = new Set(rows.flatMap((row) => row.clientId ?? []));
    const [members, applications] = await Promise.all([
      this.directory.find(memberIds),
      this.applications.names([...clientIds]),
    ]);
    return { members, applications };
  }
}

function renderRow(row: StatementRow, { members, applications }: Names): TransactionDto {
  return {
    id: row.id,
    type: row.type,
    amount: toNova(row.amount),
    shortfall: toNova(row.shortfall),
    balanceAfter: toNova(row.balance),
    description: renderDescription(row, {
      member: (id) => members.get(id)?.displayName,
      application: (clientId) => applications.get(clientId),
    }),
    counterparty: row.counterpartyId === null ? null : toParty(row.counterpartyId, members.get(row.counterpartyId)),
    eventId: row.eventId,
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
  createdAt: at.toISOString(),
});

export const toParty = (id: string, member: DirectoryMember | undefined): PartyDto => ({
  id: member === undefined || member.closed ? null : id,
  displayName: member?.displayName ?? DELETED_MEMBER,
  profileImageUrl: member?.profileImageUrl ?? null,
});
