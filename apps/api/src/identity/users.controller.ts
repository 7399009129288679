import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { SearchUsers, UserSearchDto, UserSearchResponse } from './queries/search-users.js';

@NeedsSession()
@ApiTags('Identity')
@Controller('api/users')
export class UsersController {
  constructor(private readonly queries: QueryBus) {}

  /** Members by name or e-mail address, never oneself, at most 20. */
  @Get('search')
  async search(@Query() { query }: UserSearchDto, @CurrentUser() member: SignedInMember): Promise<UserSearchResponse> {
    return { users: await this.queries.execute(new SearchUsers(query, member.id)) };
  }
}
