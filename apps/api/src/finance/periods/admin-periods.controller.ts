import { Body, Controller, Get, Param, ParseIntPipe, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { offsetOf, paginationOf } from '../../admin/page.dto.js';
import { DELETED_MEMBER, MemberDirectory } from '../../identity/member-directory.js';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { readDayOrMoment } from '../../platform/day-or-moment.js';
import { notFound } from '../../platform/errors/app-error.js';
import { RequestId } from '../../platform/http/request-id.js';
import { CloseBooks } from './close-books.js';
import { PeriodClosing } from './period-closing.js';
import { toPeriod } from './period-views.js';
import type { ClosedPeriod } from './sealed-periods.js';
import { ClosePeriodDto, PeriodDto, PeriodsDto, PeriodsQueryDto } from './periods.dto.js';

/** Closed periods: the books up to a moment, sealed (`docs/receipts.md`). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/periods')
export class AdminPeriodsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly closing: PeriodClosing,
    private readonly directory: MemberDirectory,
  ) {}

  @ApiOperation({ summary: 'Closed periods with their seals and trial balances, newest first' })
  @ApiOkResponse({ type: PeriodsDto })
  @Get()
  async list(@Query() page: PeriodsQueryDto): Promise<PeriodsDto> {
    const all = await this.closing.periods.all();
    const shown = all.toReversed().slice(offsetOf(page), offsetOf(page) + page.limit);
    return { periods: await this.render(shown), pagination: paginationOf(page, all.length) };
  }

  @ApiOperation({ summary: 'One closed period' })
  @ApiOkResponse({ type: PeriodDto })
  @ApiNotFoundResponse({ description: 'There is no such period.' })
  @Get(':number')
  async one(
    @Param('number', new ParseIntPipe({ exceptionFactory: () => notFound('This period') })) number: number,
  ): Promise<PeriodDto> {
    const period = await this.closing.periods.byNumber(number);
    const [rendered] = period ? await this.render([period]) : [];
    if (!rendered) throw notFound('This period');
    return rendered;
  }

  /** Closing the same period again answers with it. */
  @ApiOperation({ summary: 'Close the books up to a moment: nothing can be dated before it from then on' })
  @ApiCreatedResponse({ type: PeriodDto })
  @ApiConflictResponse({ description: 'The moment has not passed, is closed already, or nothing has happened since.' })
  @Post()
  async close(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { endsAt: given, reason }: ClosePeriodDto,
    @RequestId() requestId: string,
  ): Promise<PeriodDto | undefined> {
    // As validated: a day to its last millisecond, a moment to its own.
    const endsAt = Number(readDayOrMoment(given)?.end) - 1;
    const period = await this.commands.execute(new CloseBooks(endsAt, { adminId, requestId, reason }));
    return (await this.render([period]))[0];
  }

  private async render(periods: readonly ClosedPeriod[]): Promise<PeriodDto[]> {
    const admins = await this.directory.find(periods.flatMap(({ adminId }) => adminId ?? []));
    return periods.map((period) => toPeriod(period, (id) => admins.get(id)?.displayName ?? DELETED_MEMBER));
  }
}
