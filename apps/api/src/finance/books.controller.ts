import { Readable } from 'node:stream';
import { Controller, Get, Header, Query, Res, StreamableFile } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { isAccountId, parseAccountName } from '@app/domain';
import type { EventStore } from '@app/event-store';
import type { LedgerAccount } from '@app/projections';
import type { FastifyReply } from 'fastify';
import { CSV_TYPE } from '../admin/csv.js';
import { AdminOnly, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { readDayOrMoment } from '../platform/day-or-moment.js';
import { AppError, notFound } from '../platform/errors/app-error.js';
import { IdParam } from '../platform/id-param.js';
import { InjectEventStore } from '../platform/journal/journal.module.js';
import { ApiTextFile } from '../platform/openapi/api-file.js';
import { withCursor } from '../wallet/cursors.js';
import { BooksView, momentDto, toNumber } from './books-view.js';
import { type AskedMoment, Books, holdsNothing, memberAccounts, type MemberStatement, type Period } from './books.js';
import {
  AccountsDto,
  AccountsQueryDto,
  EntriesDto,
  EntriesQueryDto,
  ExportQueryDto,
  MemberStatementDto,
  MomentQueryDto,
  PeriodQueryDto,
  type StatementMemberDto,
  TrialBalanceDto,
} from './books.dto.js';
import { EXPORT_EXAMPLES, exportJournal, type ExportFormat, hasDollars } from './export.js';
import { exportPeriod } from './exports/export-period.js';
import { type OwnAccounts, readOwnAccounts } from './exports/own-accounts.js';
import { replayTurns } from './exports/replay-turns.js';
import { FiscalCalendar } from './general-ledger/fiscal-calendar.js';
import { STATEMENT_CSV_EXAMPLE, statementCsv } from './statement-csv.js';
import { TRIAL_BALANCE_CSV_EXAMPLE, trialBalanceCsv } from './trial-balance-csv.js';

const FILES: Readonly<Record<ExportFormat, readonly [extension: string, type: string]>> = {
  hledger: ['journal', 'text/plain; charset=utf-8'],
  beancount: ['beancount', 'text/plain; charset=utf-8'],
  postings: ['csv', CSV_TYPE],
  csv: ['csv', CSV_TYPE],
  jsonl: ['jsonl', 'application/x-ndjson; charset=utf-8'],
};

const UNKNOWN_CURSOR = 'The cursor is not one that was given out.';

/** Pieces of an export that wait for a slow reader. */
const PIECES_AHEAD = 2;

/** The books: what every account had at any moment, down to the events (rule finance-2). */
@ApiTags('Finance')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/finance')
export class BooksController {
  private readonly replays = replayTurns();

  constructor(
    private readonly books: Books,
    private readonly view: BooksView,
    private readonly calendar: FiscalCalendar,
    @InjectEventStore() private readonly store: EventStore,
  ) {}

  @ApiOperation({ summary: 'The trial balance now, or at any past moment' })
  @ApiOkResponse({ type: TrialBalanceDto })
  @ApiNotFoundResponse({ description: 'There is no such revision.' })
  @Get('trial-balance')
  async trialBalance(@Query() query: MomentQueryDto): Promise<TrialBalanceDto> {
    const moment = await this.books.moment(askedMoment(query));
    const lines = await this.books.trialBalance(moment);
    return {
      moment: momentDto(moment),
      lines: lines.map(({ kind, currency, balance }) => ({ kind, currency, balance: toNumber(balance, currency) })),
    };
  }

  @ApiOperation({ summary: 'The same as CSV' })
  @ApiTextFile({ 'text/csv': TRIAL_BALANCE_CSV_EXAMPLE })
  @ApiNotFoundResponse({ description: 'There is no such revision.' })
  @Header('cache-control', 'no-store')
  @Get('trial-balance.csv')
  async trialBalanceCsv(@Query() query: MomentQueryDto): Promise<StreamableFile> {
    const moment = await this.books.moment(askedMoment(query));
    const text = trialBalanceCsv(moment, await this.books.trialBalance(moment));
    return new StreamableFile(Buffer.from(text), {
      type: CSV_TYPE,
      disposition: `attachment; filename="nova-trial-balance-${moment.revision}.csv"`,
    });
  }

  @ApiOperation({ summary: 'The accounts of a kind that were not at zero' })
  @ApiOkResponse({ type: AccountsDto })
  @ApiNotFoundResponse({ description: 'There is no such revision.' })
  @Get('accounts')
  async accounts(@Query() query: AccountsQueryDto): Promise<AccountsDto> {
    const { kind, limit, cursor } = query;
    if (cursor !== undefined && !isAccountId(cursor)) throw new AppError(400, 'INVALID_CURSOR', UNKNOWN_CURSOR);
    const moment = await this.books.moment(askedMoment(query));
    const found = await this.books.accountsOf(kind, moment, { after: cursor, limit: limit + 1 });
    const page = found.slice(0, limit);
    const owners = await this.view.owners(page);
    return {
      moment: momentDto(moment),
      accounts: page.map(({ account, currency, balance }, index) => ({
        account,
        currency,
        balance: toNumber(balance, currency),
        owner: owners[index] ?? null,
      })),
      nextCursor: found.length > limit ? (page.at(-1)?.owner ?? null) : null,
    };
  }

  @ApiOperation({ summary: 'The entries of an account, or of all accounts of a member, newest first' })
  @ApiOkResponse({ type: EntriesDto })
  @ApiBadRequestResponse({ description: 'Neither an account nor a member was named, or both.' })
  @Get('entries')
  async entries(@Query() query: EntriesQueryDto): Promise<EntriesDto> {
    const { cursor, limit } = query;
    const accounts = askedAccounts(query);
    const period = await this.books.period({ ...askedPeriod(query), revision: query.revision });
    const page = await withCursor(() => this.books.entriesOf(accounts, period, { cursor, limit }));
    return { ...momentsOf(period), entries: await this.view.entries(page.entries), nextCursor: page.nextCursor };
  }

  @ApiOperation({ summary: "A member's statement: opening balance, turnover and closing balance of every account" })
  @ApiOkResponse({ type: MemberStatementDto })
  @ApiNotFoundResponse({ description: 'Neither the members nor the journal have this user.' })
  @Get('members/:id/statement')
  async statement(@IdParam('id', 'This user') id: string, @Query() query: PeriodQueryDto): Promise<MemberStatementDto> {
    const { statement, member } = await this.statementOf(id, query);
    return this.view.statement(statement, member);
  }

  @ApiOperation({ summary: "A member's statement with every entry, as CSV" })
  @ApiTextFile({ 'text/csv': STATEMENT_CSV_EXAMPLE })
  @ApiNotFoundResponse({ description: 'Neither the members nor the journal have this user.' })
  @Header('cache-control', 'no-store')
  @Get('members/:id/statement.csv')
  async statementCsv(@IdParam('id', 'This user') id: string, @Query() query: PeriodQueryDto): Promise<StreamableFile> {
    const { statement } = await this.statementOf(id, query);
    return new StreamableFile(Readable.from(statementCsv(this.books, statement), { highWaterMark: PIECES_AHEAD }), {
      type: CSV_TYPE,
      disposition: `attachment; filename="nova-statement-${id}${ofPeriod(query)}.csv"`,
    });
  }

  @ApiOperation({
    summary: 'A period for other programs: books in Nova and dollars, postings in dollars, or events',
    description: 'In `hledger`, `beancount` and `postings`, days are those of the books’ time zone.',
  })
  @ApiTextFile(EXPORT_EXAMPLES, 'The first and the last revision are in the headers x-first-revision, x-last-revision.')
  @ApiServiceUnavailableResponse({ description: 'Too many exports with dollars at once: see `Retry-After`.' })
  @Header('cache-control', 'no-store')
  @Get('export')
  async export(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Query() query: ExportQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const accounts = askedOwnAccounts(query);
    if (hasDollars(query.format)) await this.replayInTurn(adminId, reply);
    const period = exportPeriod(askedPeriod(query), query.format, this.calendar);
    const { opening, closing } = await this.books.journalPeriod(period);
    const [extension, type] = FILES[query.format];
    void reply.header('x-first-revision', opening.revision + 1).header('x-last-revision', closing.revision);
    const pieces = exportJournal(this.store, query.format, {
      after: opening,
      upTo: closing.revision,
      from: period.from?.start.getTime(),
      until: period.to?.end.getTime(),
      calendar: this.calendar,
      accounts,
    });
    const name = `nova-journal${ofPeriod(query) || `-${new Date().toISOString().slice(0, 10)}`}`;
    return new StreamableFile(Readable.from(pieces, { highWaterMark: PIECES_AHEAD }), {
      type,
      disposition: `attachment; filename="${name}.${extension}"`,
    });
  }

  /** The turn ends with the answer, or with its connection. @throws AppError 503 `BUSY` */
  private async replayInTurn(adminId: string, { raw }: FastifyReply): Promise<void> {
    const end = await this.replays.begin([adminId]);
    if (raw.destroyed) end();
    raw.once('close', end);
  }

  /** @throws AppError 404 nobody knows this id */
  private async statementOf(
    id: string,
    query: PeriodQueryDto,
  ): Promise<{ readonly statement: MemberStatement; readonly member: StatementMemberDto }> {
    const [{ member, isKnown }, period] = await Promise.all([
      this.view.member(id),
      this.books.period(askedPeriod(query)),
    ]);
    const statement = await this.books.memberStatement(id, period);
    if (!isKnown && holdsNothing(statement)) throw notFound('This user');
    return { statement, member };
  }
}

const askedMoment = ({ at, revision }: MomentQueryDto): AskedMoment => ({ at: readDayOrMoment(at), revision });

const askedPeriod = ({ from, to }: PeriodQueryDto) => ({ from: readDayOrMoment(from), to: readDayOrMoment(to) });

function askedOwnAccounts({ format, accounts }: ExportQueryDto): OwnAccounts | undefined {
  if (!accounts) return undefined;
  if (format === 'postings') return readOwnAccounts(accounts);
  throw new AppError(400, 'INVALID_ACCOUNTS', 'Only postings take account numbers of your own.');
}

/** The part of a file's name that tells the period it holds; a file system may take no colon. */
const ofPeriod = ({ from, to }: PeriodQueryDto): string =>
  `${from ? `-from-${from}` : ''}${to ? `-to-${to}` : ''}`.replaceAll(':', '');

function askedAccounts({ account, userId }: EntriesQueryDto): readonly LedgerAccount[] {
  const named = account === undefined ? undefined : parseAccountName(account);
  if ((named === undefined) === (userId === undefined)) {
    throw new AppError(400, 'INVALID_ACCOUNT', 'Name an account or a member, one of them.');
  }
  return named ? [named] : memberAccounts((userId ?? '').toLowerCase());
}

const momentsOf = ({ opening, closing }: Period) => ({ opening: momentDto(opening), closing: momentDto(closing) });
