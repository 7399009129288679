import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { type Call, CurrentCall } from '../../platform/current-call.js';
import { AppError } from '../../platform/errors/app-error.js';
import { RequestId } from '../../platform/http/request-id.js';
import { withCursor } from '../../wallet/cursors.js';
import { PostAdjustment } from './adjustments.js';
import { BooksStream } from './books-stream.js';
import { CloseDollarBooks } from './close-dollar-books.js';
import { ExplainSubject } from './explanations.js';
import type { FiscalPeriod } from './fiscal-calendar.js';
import {
  ClosedMonthDto,
  ClosedMonthsDto,
  CloseMonthDto,
  ControlTotalsDto,
  DollarLinesDto,
  DollarLinesQueryDto,
  ExplainSubjectDto,
  FinancialStatementsDto,
  FiscalPeriodQueryDto,
  OpenSubjectsDto,
  OpenSubjectsQueryDto,
  PoliciesDto,
  PostAdjustmentDto,
  SetPolicyDto,
  StatementsQueryDto,
} from './general-ledger.dto.js';
import { GeneralLedgerReports } from './general-ledger-reports.js';
import { SetPolicy } from './policies.js';
import { controlDayDto, GeneralLedgerView, openAccountDto, periodDto, statementsDto } from './general-ledger-view.js';

/** Closed months that are listed: a century. */
const CLOSED_MAX = 1_200;

/** The books in dollars (`docs/accounting.md`). */
@ApiTags('Finance')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/finance/general-ledger')
export class GeneralLedgerController {
  constructor(
    private readonly reports: GeneralLedgerReports,
    private readonly view: GeneralLedgerView,
    private readonly stream: BooksStream,
    private readonly commands: CommandBus,
  ) {}

  @ApiOperation({ summary: 'Balance sheet, profit and loss, and the roll-forward of deferred revenue' })
  @ApiOkResponse({ type: FinancialStatementsDto })
  @Get('statements')
  async statements(@Query() query: StatementsQueryDto): Promise<FinancialStatementsDto> {
    const { compare } = query;
    const periods = [this.period(query), ...(compare === undefined ? [] : [this.reports.calendar.month(compare)])];
    const [closed] = await (await this.stream.current()).marks('closed');
    const found = await Promise.all(periods.map((period) => this.reports.statements(period)));
    const [shown, other] = found.map((statements) =>
      statementsDto(statements, closed !== undefined && closed.until >= statements.period.to),
    );
    if (!shown || !found[0]) throw new Error('no period was asked for');
    return {
      currency: found[0].currency,
      timeZone: this.reports.calendar.timeZone,
      statements: shown,
      comparison: other ?? null,
    };
  }

  @ApiOperation({ summary: 'What a figure is made of: the lines of an account in a period, newest first' })
  @ApiOkResponse({ type: DollarLinesDto })
  @Get('lines')
  async lines(@Query() query: DollarLinesQueryDto): Promise<DollarLinesDto> {
    const { account, ...page } = query;
    const period = this.period(query);
    const { lines, nextCursor } = await withCursor(() => this.reports.lines(account, period, page));
    return { period: periodDto(period), lines: await this.view.lines(lines), nextCursor };
  }

  @ApiOperation({
    summary: 'Journal and provider day by day: opening, movements, closing, and what is open between them',
  })
  @ApiOkResponse({ type: ControlTotalsDto })
  @Get('control-totals')
  async controlTotals(@Query() query: FiscalPeriodQueryDto): Promise<ControlTotalsDto> {
    const period = this.period(query);
    const days = await this.reports.controlDays(period);
    return { period: periodDto(period), providerReadUntil: await this.readUntil(), days: days.map(controlDayDto) };
  }

  @ApiOperation({ summary: 'Payments and disputes over which journal and provider differ at the end of a period' })
  @ApiOkResponse({ type: OpenSubjectsDto })
  @Get('open')
  async open(@Query() query: OpenSubjectsQueryDto): Promise<OpenSubjectsDto> {
    const period = this.period(query);
    const accounts = await this.reports.open(period.to, query);
    return { period: periodDto(period), accounts: accounts.map(openAccountDto) };
  }

  @ApiOperation({ summary: 'Explain a difference, here and in the reconciliation: the account named takes it' })
  @ApiNoContentResponse()
  @HttpCode(204)
  @Post('explanations')
  async explain(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { account, subject, takenBy, reason }: ExplainSubjectDto,
    @RequestId() requestId: string,
  ): Promise<void> {
    await this.commands.execute(new ExplainSubject({ account, subject }, takenBy, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Post an adjustment: an accrual, an expected loss, a release' })
  @ApiNoContentResponse()
  @ApiConflictResponse({ description: 'The books are closed at this date: `BOOKS_CLOSED`.' })
  @HttpCode(204)
  @Post('adjustments')
  async adjust(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { date, lines, reason }: PostAdjustmentDto,
    @CurrentCall() { requestId, idempotencyKey }: Call,
  ): Promise<void> {
    await this.commands.execute(new PostAdjustment(date, lines, { adminId, requestId, reason }, idempotencyKey));
  }

  @ApiOperation({ summary: 'What was chosen where the accounting policy leaves a choice, and from which month on' })
  @ApiOkResponse({ type: PoliciesDto })
  @Get('policies')
  async policies(): Promise<PoliciesDto> {
    const policies = await (await this.stream.current()).policies();
    return { policies: await this.view.policies(policies, this.reports.calendar) };
  }

  @ApiOperation({ summary: 'Choose a policy for a month that is not closed, and those after it' })
  @ApiNoContentResponse()
  @ApiConflictResponse({ description: 'The books are closed in this month: `BOOKS_CLOSED`.' })
  @HttpCode(204)
  @Post('policies')
  async setPolicy(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { month, reason, ...policy }: SetPolicyDto,
    @RequestId() requestId: string,
  ): Promise<void> {
    await this.commands.execute(new SetPolicy(policy, month, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Closed months, newest first' })
  @ApiOkResponse({ type: ClosedMonthsDto })
  @Get('periods')
  async periods(): Promise<ClosedMonthsDto> {
    const closed = await (await this.stream.current()).marks('closed', CLOSED_MAX);
    const periods = closed.map(({ number, until }) => this.closedMonth(number, until));
    const { timeZone } = this.reports.calendar;
    return { timeZone, periods, providerReadUntil: await this.readUntil() };
  }

  @ApiOperation({
    summary: 'Close the dollar books up to the end of a month: nothing is posted before it from then on',
  })
  @ApiCreatedResponse({ type: ClosedMonthDto })
  @ApiConflictResponse({
    description: 'The month is not over or is closed, the provider was not looked at, or differences are open.',
  })
  @Post('periods')
  async close(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { month }: CloseMonthDto,
    @RequestId() requestId: string,
  ): Promise<ClosedMonthDto> {
    const { number, endsAt } = await this.commands.execute(new CloseDollarBooks(month, { adminId, requestId }));
    return this.closedMonth(number, new Date(endsAt));
  }

  private closedMonth(number: number, until: Date): ClosedMonthDto {
    return { number, month: this.reports.calendar.lastMonthBy(until), endsAt: until.toISOString() };
  }

  private async readUntil(): Promise<string | null> {
    const [mark] = await (await this.stream.current()).marks('read');
    return mark?.until.toISOString() ?? null;
  }

  private period({ month, from, to }: FiscalPeriodQueryDto): FiscalPeriod {
    const { calendar } = this.reports;
    if (month !== undefined && (from ?? to) !== undefined) {
      throw new AppError(400, 'INVALID_PERIOD', 'Name a month or days, not both.');
    }
    const today = calendar.dayOf(new Date());
    if (month !== undefined || (from === undefined && to === undefined)) {
      return calendar.month(month ?? calendar.monthOf(new Date()));
    }
    return calendar.days(from ?? BEGINNING, to ?? today);
  }
}

/** Before any journal. */
const BEGINNING = '2000-01-01';
