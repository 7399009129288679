import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { BlockedMembersQueryDto, BlockedMembersResponse, ListBlockedMembers } from './queries/list-blocked-members.js';

@ApiTags('Members')
@NeedsSession()
@Controller('api/users')
export class BlockedMembersController {
  constructor(private readonly queries: QueryBus) {}

  @ApiOperation({ summary: 'Whom one has blocked, the last blocked first' })
  @ApiOkResponse({ type: BlockedMembersResponse })
  @Get('blocked')
  blocked(
    @CurrentUser() { id }: SignedInMember,
    @Query() page: BlockedMembersQueryDto,
  ): Promise<BlockedMembersResponse> {
    return this.queries.execute(new ListBlockedMembers(id, page));
  }
}
