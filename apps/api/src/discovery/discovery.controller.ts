import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { DiscoveryFeedDto } from './discovery.dto.js';
import { DiscoveryFilterDto, GetDiscoveryFeed } from './queries/get-discovery-feed.js';

/** The grid of profile cards (S0 §2, §7 Profile and discovery). */
@ApiTags('Discovery')
@NeedsSession()
@Controller('api/discovery')
export class DiscoveryController {
  constructor(private readonly queries: QueryBus) {}

  @ApiOperation({ summary: 'Members to chat with: who is online first, then by rating' })
  @ApiOkResponse({ type: DiscoveryFeedDto })
  @Get('feed')
  feed(@CurrentUser() member: SignedInMember, @Query() filter: DiscoveryFilterDto): Promise<DiscoveryFeedDto> {
    return this.queries.execute(new GetDiscoveryFeed(member.id, filter));
  }
}
