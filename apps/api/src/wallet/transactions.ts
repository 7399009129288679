import { Injectable } from '@nestjs/common';
import { ACCRUED_DESCRIPTION, renderDescription, type StatementRow } from '@app/projections';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../identity/member-directory.js';
import { toNova } from './nova-amount.js';
import type { PartyDto, TransactionDto } from './wallet.dto.js';

/** Statement rows as the API shows them, names rendered on reading. */
@Injectable()
export class Transactions {
  constructor(private readonly directory: MemberDirectory) {}

  async render(rows: readonly StatementRow[]): Promise<TransactionDto[]> {
    const members = await this.directory.find(rows.flatMap((row) => row.counterpartyId ?? []));
    return rows.map((row) => renderRow(row, members));
  }

  /** As `render`, with whose rows they are. */
  async renderWithOwners(
    rows: readonly StatementRow[],
  ): Promise<
    { readonly owner: DirectoryMember | undefined; readonly transaction: TransactionDto; readonly row: StatementRow }[]
  > {
    const members = await this.directory.find(rows.flatMap((row) => [row.userId, row.counterpartyId ?? row.userId]));
    return rows.map((row) => ({ owner: members.get(row.userId), transaction: renderRow(row, members), row }));
  }
}

function renderRow(row: StatementRow, members: ReadonlyMap<string, DirectoryMember>): TransactionDto {
  return {
    id: row.id,
    type: row.type,
    amount: toNova(row.amount),
    balanceAfter: toNova(row.balance),
    description: renderDescription(row, { member: (id) => members.get(id)?.displayName }),
    counterparty: row.counterpartyId === null ? null : toParty(row.counterpartyId, members.get(row.counterpartyId)),
    eventId: row.eventId,
    createdAt: row.createdAt.toISOString(),
  };
}

/** The line of what pools owe and have not yet credited: with it the rows add up to the Nova balance (`ledger.md`, invariant 9). */
export const accruedRow = (
  { owed, nova }: { readonly owed: bigint; readonly nova: bigint },
  at: Date,
): TransactionDto => ({
  id: 'accrued',
  type: 'accrued',
  amount: toNova(owed),
  balanceAfter: toNova(nova),
  description: ACCRUED_DESCRIPTION,
  counterparty: null,
  eventId: null,
  createdAt: at.toISOString(),
});

const toParty = (id: string, member: DirectoryMember | undefined): PartyDto => ({
  id: member === undefined || member.closed ? null : id,
  displayName: member?.displayName ?? DELETED_MEMBER,
  profileImageUrl: member?.profileImageUrl ?? null,
});
