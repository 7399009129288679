import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { ApplicationUsesDto } from './application-wallet.dto.js';
import { ListApplicationUses } from './queries/list-application-uses.js';

/** What applications did with one's own Nova. */
@ApiTags('Wallet')
@NeedsSession()
@Controller('api/wallet')
export class MemberApplicationsController {
  constructor(private readonly queries: QueryBus) {}

  @ApiOperation({ summary: 'What each application spent, gave and paid for you' })
  @ApiOkResponse({ type: ApplicationUsesDto })
  @Get('applications')
  applications(@CurrentUser() { id }: SignedInMember): Promise<ApplicationUsesDto> {
    return this.queries.execute(new ListApplicationUses(id));
  }
}
