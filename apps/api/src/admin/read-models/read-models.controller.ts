import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiAcceptedResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AdminOnly, NeedsSession } from '../../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../../platform/auth/member.js';
import { RequestId } from '../../platform/http/request-id.js';
import { OrderRebuild } from './order-rebuild.js';
import { ReadModelViews } from './read-model-views.js';
import { ReadModelsDto, RebuildRequestedDto } from './read-models.dto.js';

/** The tables made from the journal: how far they are, and making them anew beside the live ones (rule admin-17). */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin/read-models')
export class ReadModelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly views: ReadModelViews,
  ) {}

  @ApiOperation({ summary: 'Every read model: how far it is, and its last rebuild' })
  @ApiOkResponse({ type: ReadModelsDto })
  @Get()
  list(): Promise<ReadModelsDto> {
    return this.views.list();
  }

  @ApiOperation({ summary: 'Make a read model anew beside the live one, and swap it in when both are the same' })
  @ApiAcceptedResponse({ type: RebuildRequestedDto, description: 'Its rebuild begins within seconds: see the list.' })
  @ApiNotFoundResponse({ description: 'There is no such read model.' })
  @HttpCode(202)
  @Post(':name/rebuild')
  rebuild(
    @CurrentUser() { id }: SignedInMember,
    @Param('name') name: string,
    @RequestId() requestId: string,
  ): Promise<RebuildRequestedDto> {
    return this.commands.execute(new OrderRebuild(id, name, requestId));
  }
}
