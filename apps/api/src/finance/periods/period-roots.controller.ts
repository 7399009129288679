import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/auth/access.js';
import { PeriodClosing } from './period-closing.js';
import { toRoot } from './period-views.js';
import { PeriodRootsDto, PeriodRootsQueryDto } from './periods.dto.js';

/** What anybody may keep, to hold this installation to it later (`docs/receipts.md`). */
@ApiTags('Wallet')
@Public()
@Controller('api/ledger')
export class PeriodRootsController {
  constructor(private readonly closing: PeriodClosing) {}

  @ApiOperation({ summary: 'Seals and roots of the closed periods, newest first: what receipts are checked against' })
  @ApiOkResponse({ type: PeriodRootsDto })
  @Get('periods')
  async roots(@Query() { before, limit }: PeriodRootsQueryDto): Promise<PeriodRootsDto> {
    const all = await this.closing.periods.all();
    const older = before === undefined ? all : all.slice(0, before - 1);
    const page = older.slice(-limit).toReversed();
    const last = page.at(-1)?.number ?? 1;
    return { periods: page.map(toRoot), nextBefore: last > 1 ? last : null };
  }
}
