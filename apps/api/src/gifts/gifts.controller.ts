import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { GiftDraftDto, SendGift } from './commands/send-gift.js';
import { GiftHistoryDto, GiftPreviewDto, SentGiftDto } from './gifts.dto.js';
import { GetGiftHistory, GiftHistoryQueryDto } from './queries/get-gift-history.js';
import { PreviewGift } from './queries/preview-gift.js';

/** Gifts between members. */
@ApiTags('Gifts')
@NeedsSession()
@Controller('api/gifts')
export class GiftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Send a gift: half to the recipient, half to the holders of Influence' })
  @ApiCreatedResponse({ type: SentGiftDto })
  @ApiBadRequestResponse({
    description: 'The amount is out of range or beyond the balance, or the recipient is oneself.',
  })
  @ApiNotFoundResponse({ description: 'There is no such recipient.' })
  @Post('send')
  send(
    @CurrentUser() member: SignedInMember,
    @Body() draft: GiftDraftDto,
    @CurrentCall() call: Call,
  ): Promise<SentGiftDto> {
    return this.commands.execute(new SendGift(member.id, draft, call));
  }

  @ApiOperation({ summary: 'What sending this gift would do now; nothing moves' })
  @ApiOkResponse({ type: GiftPreviewDto })
  @HttpCode(200)
  @Post('preview')
  preview(@CurrentUser() member: SignedInMember, @Body() draft: GiftDraftDto): Promise<GiftPreviewDto> {
    return this.queries.execute(new PreviewGift(member.id, draft));
  }

  @ApiOperation({ summary: 'Gifts sent and received, newest first, with totals' })
  @ApiOkResponse({ type: GiftHistoryDto })
  @Get('history')
  history(@CurrentUser() member: SignedInMember, @Query() page: GiftHistoryQueryDto): Promise<GiftHistoryDto> {
    return this.queries.execute(new GetGiftHistory(member.id, page));
  }
}
