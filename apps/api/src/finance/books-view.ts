import { Injectable } from '@nestjs/common';
import { accountNameOf, type AccountName, type Currency, MEMBER_BALANCE_CURRENCY, Money } from '@app/domain';
import type { EntryRow, LedgerAccount } from '@app/projections';
import { DELETED_MEMBER, MemberDirectory } from '../identity/member-directory.js';
import { describeEvent, membersOf } from '../wallet/event-descriptions.js';
import { JournalEvents } from '../wallet/journal-events.js';
import type { MemberStatement } from './books.js';
import type {
  AccountOwnerDto,
  BookEntryDto,
  MemberStatementDto,
  MomentDto,
  StatementLineDto,
  StatementMemberDto,
} from './books.dto.js';
import type { JournalMoment } from './moments.js';

/** What is in the books as the API shows it: amounts as numbers, names rendered on reading (`ledger.md`, Privacy). */
@Injectable()
export class BooksView {
  constructor(
    private readonly events: JournalEvents,
    private readonly directory: MemberDirectory,
  ) {}

  /** Entries with what the journal itself says of their events. */
  async entries(rows: readonly EntryRow[]): Promise<BookEntryDto[]> {
    const found = await Promise.all([...new Set(rows.map(({ revision }) => revision))].map((at) => this.events.at(at)));
    const events = new Map(found.flatMap((event) => (event ? [[event.recorded.revision, event]] : [])));
    const members = await this.directory.find([...events.values()].flatMap(({ event }) => membersOf(event)));
    const nameOf = (id: string): string => members.get(id)?.displayName ?? DELETED_MEMBER;
    return rows.map((row) => {
      const event = events.get(row.revision);
      if (!event) throw new Error(`the journal lacks revision ${row.revision}`);
      return {
        revision: row.revision,
        eventId: event.recorded.id,
        type: row.type,
        description: describeEvent(event.event, nameOf),
        createdAt: row.at.toISOString(),
        account: row.account,
        currency: row.currency,
        amount: toNumber(row.delta, row.currency),
        balanceAfter: toNumber(row.balance, row.currency),
        hash: event.hash,
      };
    });
  }

  /** The members that accounts belong to: of members' own accounts, and the hosts of thread pools. */
  async owners(accounts: readonly LedgerAccount[]): Promise<(AccountOwnerDto | null)[]> {
    const memberOf = ({ kind, owner }: LedgerAccount): string | undefined =>
      kind.startsWith('user:') || kind === 'pool:thread' ? owner : undefined;
    const members = await this.directory.find(accounts.flatMap((account) => memberOf(account) ?? []));
    return accounts.map((account) => {
      const id = memberOf(account);
      return id === undefined ? null : { id, displayName: members.get(id)?.displayName ?? DELETED_MEMBER };
    });
  }

  /** A member by id; one whom only the journal knows has no name. */
  async member(id: string): Promise<{ readonly member: StatementMemberDto; readonly isKnown: boolean }> {
    const found = await this.directory.get(id);
    const member = { id, displayName: found?.displayName ?? DELETED_MEMBER, email: found?.email ?? '' };
    return { member, isKnown: found !== undefined };
  }

  statement(statement: MemberStatement, member: StatementMemberDto): MemberStatementDto {
    const { opening, closing, lines, owed, nova } = statement;
    return {
      member,
      opening: momentDto(opening),
      closing: momentDto(closing),
      lines: lines.map(lineDto),
      owed: { opening: toNumber(owed.opening), closing: toNumber(owed.closing) },
      nova: { opening: toNumber(nova.opening), closing: toNumber(nova.closing) },
    };
  }
}

export const toNumber = (minor: bigint, currency: Currency = 'NOVA'): number =>
  Money.ofMinor(minor, currency).toNumber();

export const momentDto = ({ revision, hash, at }: JournalMoment): MomentDto => ({
  revision,
  hash,
  at: at === undefined ? null : new Date(at).toISOString(),
});

const nameOfAccount = ({ kind, owner }: LedgerAccount): AccountName => accountNameOf(kind, owner);

function lineDto(line: MemberStatement['lines'][number]): StatementLineDto {
  const currency = MEMBER_BALANCE_CURRENCY[line.balance];
  const number = (minor: bigint): number => toNumber(minor, currency);
  return {
    account: nameOfAccount(line),
    currency,
    opening: number(line.opening),
    in: number(line.in),
    out: number(line.out),
    closing: number(line.closing),
  };
}
