import { Controller, Get, Query } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { withCursor } from '../wallet/cursors.js';
import { CursorPageDto } from '../wallet/paging.dto.js';
import { ApplicationCalls } from './application-calls.js';
import { Applications } from './applications.js';
import { ClientIdParam } from './client-id.js';
import { ConsentingMembers } from './consenting-members.js';
import { ApplicationCallsDto, ConsentingMembersDto } from './credential.dto.js';
import { toCallDto, toMemberDto } from './credential-view.js';
import { CurrentDeveloper, type Developer, NeedsDeveloper } from './needs-application.js';

/** What an application and its developer read about it: who consented, and what it called (rules oauth-27, oauth-28). */
@ApiTags('Own records')
@NeedsSession()
@ApiNotFoundResponse({ description: 'There is no such application of yours.' })
@Controller('api/oauth/application/:clientId')
export class OwnRecordsController {
  constructor(
    private readonly applications: Applications,
    private readonly consenting: ConsentingMembers,
    private readonly log: ApplicationCalls,
  ) {}

  @ApiOperation({ summary: 'The members who consented to an application, newest first' })
  @ApiOkResponse({ type: ConsentingMembersDto })
  @NeedsDeveloper('members:read')
  @Get('members')
  async members(
    @CurrentDeveloper() { id }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @Query() page: CursorPageDto,
  ): Promise<ConsentingMembersDto> {
    await this.applications.ownedBy(id, clientId);
    const { members, nextCursor } = await withCursor(() => this.consenting.list(clientId, page));
    return { members: members.map(toMemberDto), nextCursor };
  }

  @ApiOperation({ summary: 'What an application called and how that ended, newest first' })
  @ApiOkResponse({ type: ApplicationCallsDto })
  @NeedsDeveloper('calls:read')
  @Get('calls')
  async calls(
    @CurrentDeveloper() { id }: Developer,
    @ClientIdParam('clientId') clientId: string,
    @Query() page: CursorPageDto,
  ): Promise<ApplicationCallsDto> {
    await this.applications.ownedBy(id, clientId);
    const { calls, nextCursor } = await withCursor(() => this.log.list(clientId, page));
    return { calls: calls.map(toCallDto), nextCursor };
  }
}
