import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { BlockMember } from '../chats/commands/block-member.js';
import { MessageResponse } from '../identity/message.dto.js';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { RequestId } from '../platform/http/request-id.js';
import { IdParam } from '../platform/id-param.js';
import { Relate } from './commands/relate.js';
import { ReportMember, ReportMemberDto } from './commands/report-member.js';
import { MemberRelations } from './member-relations.js';
import { RelationDto } from './relation.dto.js';

const OtherId = (): ParameterDecorator => IdParam('id', 'This member');

/** What a member does towards another (rule members-1). */
@ApiTags('Members')
@NeedsSession()
@ApiNotFoundResponse({ description: 'There is no such member.' })
@Controller('api/users/:id')
export class MembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly relations: MemberRelations,
  ) {}

  @ApiOperation({ summary: 'How the two stand to each other' })
  @ApiOkResponse({ type: RelationDto })
  @Get('relation')
  relation(@CurrentUser() { id }: SignedInMember, @OtherId() otherId: string): Promise<RelationDto> {
    return this.relations.relation(id, otherId);
  }

  @ApiOperation({ summary: 'Follow' })
  @ApiOkResponse({ type: MessageResponse })
  @HttpCode(200)
  @Post('follow')
  follow(
    @CurrentUser() { id: memberId }: SignedInMember,
    @OtherId() otherId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new Relate('Follow', { memberId, otherId, requestId }));
  }

  @ApiOperation({ summary: 'Follow no longer' })
  @ApiOkResponse({ type: MessageResponse })
  @Delete('follow')
  unfollow(
    @CurrentUser() { id: memberId }: SignedInMember,
    @OtherId() otherId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new Relate('Unfollow', { memberId, otherId, requestId }));
  }

  @ApiOperation({ summary: 'Block: ends following and requests between the two' })
  @ApiOkResponse({ type: MessageResponse })
  @HttpCode(200)
  @Post('block')
  block(
    @CurrentUser() { id: memberId }: SignedInMember,
    @OtherId() otherId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new BlockMember({ memberId, otherId, requestId }));
  }

  @ApiOperation({ summary: 'Block no longer' })
  @ApiOkResponse({ type: MessageResponse })
  @Delete('block')
  unblock(
    @CurrentUser() { id: memberId }: SignedInMember,
    @OtherId() otherId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new Relate('Unblock', { memberId, otherId, requestId }));
  }

  @ApiOperation({ summary: 'Report to the admins' })
  @ApiOkResponse({ type: MessageResponse })
  @HttpCode(200)
  @Post('report')
  report(
    @CurrentUser() { id: memberId }: SignedInMember,
    @OtherId() otherId: string,
    @Body() report: ReportMemberDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new ReportMember({ memberId, otherId, requestId }, report));
  }
}
