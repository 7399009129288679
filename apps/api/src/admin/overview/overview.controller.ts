import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { Overview } from './overview.js';
import { OverviewDto, OverviewQueryDto, SeriesDto } from './overview.dto.js';

/** The platform's figures over time (rule admin-5). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin')
export class OverviewController {
  constructor(private readonly figures: Overview) {}

  @ApiOperation({ summary: 'Figures of a period, and how they changed' })
  @ApiOkResponse({ type: OverviewDto })
  @Get('overview')
  overview(@Query() { days }: OverviewQueryDto): Promise<OverviewDto> {
    return this.figures.of(days);
  }

  @ApiOperation({ summary: 'Figures by UTC day, for charts' })
  @ApiOkResponse({ type: SeriesDto })
  @Get('series')
  async series(@Query() { days }: OverviewQueryDto): Promise<SeriesDto> {
    return { series: await this.figures.series(days) };
  }
}
