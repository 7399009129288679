import { Controller, Get, Query, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiBadRequestResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { PersonalThreadDto, ThreadStatsDto } from './nexus.dto.js';
import { GetThreadStats } from './queries/get-thread-stats.js';
import { ListThreads, ThreadPageDto } from './queries/list-threads.js';
import { ThreadOwnerDto } from './thread-owners.js';

/** The answer is a plain list, so the way to its next page is beside it. */
const NEXT_CURSOR_HEADER = 'x-next-cursor';

/** Members' chains of threads. */
@ApiTags('Nexus')
@NeedsSession()
@ApiBadRequestResponse({ description: 'The id is not one, or the page is not.' })
@ApiNotFoundResponse({ description: 'There is no such member.' })
@Controller('api/personal-threads')
export class NexusController {
  constructor(private readonly queries: QueryBus) {}

  @ApiOperation({ summary: "A member's threads, newest first; one's own in full, of others without texts and amounts" })
  @ApiOkResponse({
    type: [PersonalThreadDto],
    headers: {
      [NEXT_CURSOR_HEADER]: {
        description: 'Send it back as `cursor` for the next page; absent on the last one.',
        schema: { type: 'string' },
      },
    },
  })
  @Get()
  async list(
    @CurrentUser() member: SignedInMember,
    @Query() page: ThreadPageDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PersonalThreadDto[]> {
    const { threads, nextCursor } = await this.queries.execute(new ListThreads(member.id, page));
    if (nextCursor !== null) void reply.header(NEXT_CURSOR_HEADER, nextCursor);
    return threads;
  }

  @ApiOperation({ summary: "A member's whole chain in figures, with the hash of its newest block" })
  @ApiOkResponse({ type: ThreadStatsDto })
  @Get('stats')
  stats(
    @CurrentUser() member: SignedInMember,
    @Query() { ownerId = member.id }: ThreadOwnerDto,
  ): Promise<ThreadStatsDto> {
    return this.queries.execute(new GetThreadStats(member.id, ownerId));
  }
}
