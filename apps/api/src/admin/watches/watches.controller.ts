import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { IdParam } from '../../platform/id-param.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { ListWatches } from './list-watches.js';
import { RemoveWatch, SetWatch } from './set-watch.js';
import { SetWatchDto, WatchesDto } from './watches.dto.js';

/** Balances that are watched (rule admin-22). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/watches')
export class WatchesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Watched balances, how they stand, and when they went beyond their limits' })
  @ApiOkResponse({ type: WatchesDto })
  @Get()
  list(): Promise<WatchesDto> {
    return this.queries.execute(new ListWatches());
  }

  @ApiOperation({ summary: 'Watch the balance of an account, or a total' })
  @ApiCreatedResponse({ type: WatchesDto })
  @ApiBadRequestResponse({ description: 'There is no such account.' })
  @ApiConflictResponse({ description: 'There are too many watches: `TOO_MANY_WATCHES`.' })
  @Post()
  set(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { account, direction, limit, reason }: SetWatchDto,
    @RequestId() requestId: string,
  ): Promise<WatchesDto> {
    const watch = { account, direction, limit: toMinor(limit) };
    return this.commands.execute(new SetWatch(watch, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Watch a balance no longer' })
  @ApiOkResponse({ type: WatchesDto })
  @ApiNotFoundResponse({ description: 'There is no such watch.' })
  @HttpCode(200)
  @Delete(':id')
  remove(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This watch') watchId: string,
    @RequestId() requestId: string,
  ): Promise<WatchesDto> {
    return this.commands.execute(new RemoveWatch(watchId, { adminId, requestId }));
  }
}
