import { Body, Controller, Delete, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { MessageResponse } from '../identity/message.dto.js';
import { AdminOnly, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { RequestId } from '../platform/http/request-id.js';
import { IdParam } from '../platform/id-param.js';
import { ChangedRatingDto } from './admin.dto.js';
import { BlockedEmailAnswerDto, BlockEmail, BlockEmailDto } from './commands/block-email.js';
import { ChangeRating, ChangeRatingDto } from './commands/change-rating.js';
import { DeleteAccount } from './commands/delete-account.js';
import { ResetPasswordDto, ResetPinDto, ResetSecret } from './commands/reset-secret.js';
import { UnblockEmail } from './commands/unblock-email.js';
import { UserCommentsDto } from './comments.dto.js';
import { GetUserComments, UserCommentsQueryDto } from './queries/get-user-comments.js';
import { BlockedEmailsDto, BlockedEmailsQueryDto, ListBlockedEmails } from './queries/list-blocked-emails.js';
import { ReasonDto } from './reason.dto.js';

/** What admins do about accounts. */
@ApiTags('Admin')
@NeedsSession()
@AdminOnly()
@Controller('api/admin')
export class AccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Give a member a new password and sign them out everywhere' })
  @ApiCreatedResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @Post('users/:id/reset-password')
  resetPassword(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() { newPassword, reason }: ResetPasswordDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    const next = { kind: 'password', secret: newPassword } as const;
    return this.commands.execute(new ResetSecret(userId, next, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Give a member a new recovery PIN and sign them out everywhere' })
  @ApiCreatedResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @Post('users/:id/reset-pin')
  resetPin(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() { newPin, reason }: ResetPinDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    const next = { kind: 'pin', secret: newPin } as const;
    return this.commands.execute(new ResetSecret(userId, next, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Change a member’s rating: it stands until the next one' })
  @ApiCreatedResponse({ type: ChangedRatingDto })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @Post('users/:id/change-rating')
  changeRating(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() { rating, reason }: ChangeRatingDto,
    @RequestId() requestId: string,
  ): Promise<ChangedRatingDto> {
    return this.commands.execute(new ChangeRating(userId, rating, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Delete a member’s account: what is personal is erased, their Nova is forfeit' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @ApiConflictResponse({ description: 'One’s own account, or an admin’s.' })
  @HttpCode(200)
  @Delete('users/:id')
  deleteAccount(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This user') userId: string,
    @Body() body: ReasonDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new DeleteAccount(userId, { adminId, requestId, reason: body.reason }));
  }

  @ApiOperation({ summary: 'What others wrote about a member, and what they wrote about others' })
  @ApiOkResponse({ type: UserCommentsDto })
  @ApiNotFoundResponse({ description: 'There is no such member.' })
  @Get('users/:id/comments')
  comments(
    @IdParam('id', 'This user') userId: string,
    @Query() { limit }: UserCommentsQueryDto,
  ): Promise<UserCommentsDto> {
    return this.queries.execute(new GetUserComments(userId, limit));
  }

  @ApiOperation({ summary: 'Keep an e-mail address from registering' })
  @ApiCreatedResponse({ type: BlockedEmailAnswerDto })
  @ApiConflictResponse({ description: 'It is blocked already: `EMAIL_BLOCKED_ALREADY`.' })
  @Post('block-email')
  blockEmail(
    @CurrentUser() { id: adminId }: SignedInMember,
    @Body() { email, reason }: BlockEmailDto,
    @RequestId() requestId: string,
  ): Promise<BlockedEmailAnswerDto> {
    return this.commands.execute(new BlockEmail(email, { adminId, requestId, reason }));
  }

  @ApiOperation({ summary: 'Addresses that cannot register, newest first' })
  @ApiOkResponse({ type: BlockedEmailsDto })
  @Get('blocked-emails')
  blockedEmails(@Query() page: BlockedEmailsQueryDto): Promise<BlockedEmailsDto> {
    return this.queries.execute(new ListBlockedEmails(page));
  }

  @ApiOperation({ summary: 'Let an e-mail address register again' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'There is no such blocked address.' })
  @HttpCode(200)
  @Delete('blocked-emails/:id')
  unblockEmail(
    @CurrentUser() { id: adminId }: SignedInMember,
    @IdParam('id', 'This blocked address') id: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new UnblockEmail(id, { adminId, requestId }));
  }
}
