import { Injectable } from '@nestjs/common';
import {
  accountNameOf,
  type AccountName,
  type Currency,
  type EventNames,
  MEMBER_BALANCE_CURRENCY,
  Money,
} from '@app/domain';
import { DELETED_APPLICATION, type EntryRow, type LedgerAccount } from '@app/projections';
import { DELETED_MEMBER, MemberDirectory } from '../identity/member-directory.js';
import { Applications } from '../oauth/applications.js';
import { applicationsOf, describeEvent, membersOf } from '../wallet/event-descriptions.js';
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

/** An event as people read it. */
export interface DescribedEvent {
  readonly eventId: string;
  readonly description: string;
  readonly hash: string;
}

/** What is in the books as the API shows it: amounts as numbers, names rendered on reading (rule ledger-34). */
@Injectable()
export class BooksView {
  constructor(
    private readonly events: JournalEvents,
    private readonly directory: MemberDirectory,
    private readonly applications: Applications,
  ) {}

  /** What the journal says of events, by revision. */
  async described(revisions: readonly number[]): Promise<ReadonlyMap<number, DescribedEvent>> {
    const found = await Promise.all([...new Set(revisions)].map((revision) => this.events.at(revision)));
    const events = found.flatMap((event) => event ?? []);
    const shown = events.map(({ event }) => event);
    const names = await this.names(shown.flatMap(membersOf), shown.flatMap(applicationsOf));
    return new Map(
      events.map(({ recorded: { id, revision }, event, hash }) => [
        revision,
        { eventId: id, description: describeEvent(event, names), hash },
      ]),
    );
  }

  /** Entries with what the journal itself says of their events. */
  async entries(rows: readonly EntryRow[]): Promise<BookEntryDto[]> {
    const events = await this.described(rows.map(({ revision }) => revision));
    return rows.map((row) => {
      const event = events.get(row.revision);
      if (!event) throw new Error(`the journal lacks revision ${row.revision}`);
      return {
        revision: row.revision,
        eventId: event.eventId,
        type: row.type,
        description: event.description,
        createdAt: row.at.toISOString(),
        account: row.account,
        currency: row.currency,
        amount: toNumber(row.delta, row.currency),
        balanceAfter: toNumber(row.balance, row.currency),
        hash: event.hash,
      };
    });
  }

  /** Whose accounts these are: members', hosts' of thread pools, applications'. */
  async owners(accounts: readonly LedgerAccount[]): Promise<(AccountOwnerDto | null)[]> {
    const owners = accounts.map((account) => ({ id: account.owner, kind: ownerKind(account) }));
    const idsOf = (kind: AccountOwnerDto['kind']) => owners.filter((owner) => owner.kind === kind).map(({ id }) => id);
    const names = await this.names(idsOf('member'), idsOf('application'));
    return owners.map(({ id, kind }) => (kind ? { kind, id, displayName: names[kind](id) } : null));
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
      lines: lines.map(statementLineDto),
      owed: { opening: toNumber(owed.opening), closing: toNumber(owed.closing) },
      nova: { opening: toNumber(nova.opening), closing: toNumber(nova.closing) },
    };
  }

  private async names(memberIds: readonly string[], clientIds: readonly string[]): Promise<EventNames> {
    const [members, applications] = await Promise.all([
      this.directory.find(memberIds),
      this.applications.names([...new Set(clientIds)]),
    ]);
    return {
      member: (id) => members.get(id)?.displayName ?? DELETED_MEMBER,
      application: (clientId) => applications.get(clientId) ?? DELETED_APPLICATION,
    };
  }
}

function ownerKind({ kind }: LedgerAccount): AccountOwnerDto['kind'] | undefined {
  if (kind.startsWith('user:') || kind === 'pool:thread') return 'member';
  return kind.startsWith('app:') ? 'application' : undefined;
}

export const toNumber = (minor: bigint, currency: Currency = 'NOVA'): number =>
  Money.ofMinor(minor, currency).toNumber();

export const momentDto = ({ revision, hash, at }: JournalMoment): MomentDto => ({
  revision,
  hash,
  at: at === undefined ? null : new Date(at).toISOString(),
});

const nameOfAccount = ({ kind, owner }: LedgerAccount): AccountName => accountNameOf(kind, owner);

export function statementLineDto(line: MemberStatement['lines'][number]): StatementLineDto {
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
