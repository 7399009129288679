import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  ApiBadRequestResponse,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { MessageResponse } from '../identity/message.dto.js';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { TEXT_BODY_BYTES_MAX, TakesBody } from '../platform/http/bodies.js';
import { RequestId } from '../platform/http/request-id.js';
import { IdParam } from '../platform/id-param.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import {
  AcceptedChatDto,
  ChatHistoryDto,
  ChatViewDto,
  DeclinedChatDto,
  ExitedChatDto,
  InboundPriorityDto,
  InitiatedChatDto,
  MyChatsDto,
  PayoutSummaryDto,
  PayoutTotalsDto,
  PendingRequestsDto,
  SentMessageDto,
} from './chats.dto.js';
import { AcceptRequest, DeclineRequest } from './commands/answer-request.js';
import { ExitChat } from './commands/exit-chat.js';
import { InitiateChat, InitiateChatDto } from './commands/initiate-chat.js';
import { MarkChatRead, MarkChatReadDto } from './commands/mark-chat-read.js';
import { NudgeChat } from './commands/nudge-chat.js';
import { RateChat, RateChatDto } from './commands/rate-chat.js';
import { ChatMessageDto, SendMessage } from './commands/send-message.js';
import { VerifyChat, VerifyChatDto } from './commands/verify-chat.js';
import { GetChat } from './queries/get-chat.js';
import { ChatHistoryQueryDto, GetChatHistory } from './queries/get-chat-history.js';
import { GetPayoutTotals } from './queries/get-payout-totals.js';
import { GetPayout } from './queries/get-payout.js';
import { ListInboundPriority, ListPendingRequests } from './queries/list-inbound.js';
import { ListMyChats } from './queries/list-my-chats.js';

const ChatId = (): ParameterDecorator => IdParam('id', 'This chat');

/** Paid chats. */
@ApiTags('Chats')
@NeedsSession()
@Controller('api/chats')
export class ChatsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @ApiOperation({ summary: 'Ask a host for a paid chat: the price is held until it ends' })
  @ApiCreatedResponse({ type: InitiatedChatDto })
  @ApiBadRequestResponse({ description: 'There is not enough Nova, or the host is oneself.' })
  @ApiNotFoundResponse({ description: 'There is no such host.' })
  @ApiConflictResponse({
    description:
      'The price changed, a chat of the two is open, a request ended less than a minute ago, or it is not wanted.',
  })
  @Post('initiate')
  initiate(
    @CurrentUser() { id: memberId }: SignedInMember,
    @Body() draft: InitiateChatDto,
    @CurrentCall() call: Call,
  ): Promise<InitiatedChatDto> {
    return this.commands.execute(new InitiateChat({ memberId, draft, ...call }));
  }

  @ApiOperation({ summary: 'Requests to answer, oldest first' })
  @ApiOkResponse({ type: PendingRequestsDto })
  @Get('pending-requests')
  pendingRequests(@CurrentUser() { id }: SignedInMember): Promise<PendingRequestsDto> {
    return this.queries.execute(new ListPendingRequests(id));
  }

  @ApiOperation({ summary: 'Requests to answer, the best paid first' })
  @ApiOkResponse({ type: InboundPriorityDto })
  @Get('inbound-priority')
  inboundPriority(@CurrentUser() { id }: SignedInMember): Promise<InboundPriorityDto> {
    return this.queries.execute(new ListInboundPriority(id));
  }

  @ApiOperation({ summary: "One's own requests, active chats, and those to be rated" })
  @ApiOkResponse({ type: MyChatsDto })
  @Get('mine')
  mine(@CurrentUser() { id }: SignedInMember): Promise<MyChatsDto> {
    return this.queries.execute(new ListMyChats(id));
  }

  @ApiOperation({ summary: 'Chats that have paid, newest first' })
  @ApiOkResponse({ type: ChatHistoryDto })
  @Get('completed-history')
  history(@CurrentUser() { id }: SignedInMember, @Query() page: ChatHistoryQueryDto): Promise<ChatHistoryDto> {
    return this.queries.execute(new GetChatHistory(id, page));
  }

  @ApiOperation({ summary: 'What all chats have paid, in total and by month' })
  @ApiOkResponse({ type: PayoutTotalsDto })
  @Get('completed-history/totals')
  payoutTotals(@CurrentUser() { id }: SignedInMember): Promise<PayoutTotalsDto> {
    return this.queries.execute(new GetPayoutTotals(id));
  }

  @ApiOperation({ summary: 'Accept a request: the first message is due within three minutes' })
  @ApiOkResponse({ type: AcceptedChatDto })
  @ApiConflictResponse({ description: 'It expired, or was answered already.' })
  @HttpCode(200)
  @Post('accept-request/:id')
  acceptRequest(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @RequestId() requestId: string,
  ): Promise<AcceptedChatDto> {
    return this.commands.execute(new AcceptRequest(chatId, { memberId, requestId }));
  }

  @ApiOperation({ summary: 'Decline a request: the Nova goes back' })
  @ApiOkResponse({ type: DeclinedChatDto })
  @ApiConflictResponse({ description: 'It expired, or was answered already.' })
  @HttpCode(200)
  @Post('decline-request/:id')
  declineRequest(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @CurrentCall() call: Call,
  ): Promise<DeclinedChatDto> {
    return this.commands.execute(new DeclineRequest(chatId, { memberId, ...call }));
  }

  @ApiOperation({ summary: 'As accept-request' })
  @ApiOkResponse({ type: AcceptedChatDto })
  @HttpCode(200)
  @Post(':id/accept')
  accept(
    @CurrentUser() member: SignedInMember,
    @ChatId() chatId: string,
    @RequestId() requestId: string,
  ): Promise<AcceptedChatDto> {
    return this.acceptRequest(member, chatId, requestId);
  }

  @ApiOperation({ summary: 'As decline-request' })
  @ApiOkResponse({ type: DeclinedChatDto })
  @HttpCode(200)
  @Post(':id/decline')
  decline(
    @CurrentUser() member: SignedInMember,
    @ChatId() chatId: string,
    @CurrentCall() call: Call,
  ): Promise<DeclinedChatDto> {
    return this.declineRequest(member, chatId, call);
  }

  @ApiOperation({ summary: 'One chat with its newest messages' })
  @ApiOkResponse({ type: ChatViewDto })
  @ApiNotFoundResponse({ description: 'There is none, or the caller is not one of its two.' })
  @Get(':id')
  chat(@CurrentUser() { id }: SignedInMember, @ChatId() chatId: string): Promise<ChatViewDto> {
    return this.queries.execute(new GetChat(chatId, id));
  }

  @ApiOperation({ summary: 'Send a message' })
  @ApiCreatedResponse({ type: SentMessageDto })
  @ApiBadRequestResponse({ description: 'The message is blank or too long.' })
  @ApiConflictResponse({ description: 'The chat takes no messages.' })
  @TakesBody(TEXT_BODY_BYTES_MAX)
  @Post(':id/messages')
  send(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @Body() { message, clientMessageId }: ChatMessageDto,
    @RequestId() requestId: string,
  ): Promise<SentMessageDto> {
    return this.commands.execute(new SendMessage({ memberId, chatId, text: message, clientMessageId, requestId }));
  }

  @ApiOperation({ summary: 'The caller has read the chat through this message, on whichever device' })
  @ApiNoContentResponse()
  @ApiNotFoundResponse({ description: 'There is no such chat of the caller, or no such message in it.' })
  @HttpCode(204)
  @Post(':id/read')
  read(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @Body() { messageId }: MarkChatReadDto,
  ): Promise<void> {
    return this.commands.execute(new MarkChatRead(chatId, memberId, messageId));
  }

  @ApiOperation({ summary: 'Terminate a chat' })
  @ApiOkResponse({ type: ExitedChatDto })
  @ApiConflictResponse({ description: 'It has ended.' })
  @HttpCode(200)
  @Post(':id/exit')
  exit(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @CurrentCall() call: Call,
  ): Promise<ExitedChatDto> {
    return this.commands.execute(new ExitChat(chatId, { memberId, ...call }));
  }

  @ApiOperation({ summary: 'Notify the other side, at most once a minute' })
  @ApiOkResponse({ type: MessageResponse })
  @HttpCode(200)
  @Post(':id/nudge')
  nudge(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new NudgeChat(chatId, { memberId, requestId }));
  }

  @ApiOperation({ summary: 'Say whether the chat was successful' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiConflictResponse({ description: 'What was counted says otherwise.' })
  @HttpCode(200)
  @Post(':id/verify')
  verify(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @Body() { isSuccessful }: VerifyChatDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new VerifyChat(chatId, isSuccessful, { memberId, requestId }));
  }

  @ApiOperation({ summary: 'Rate the other side: releases the own reward, and completes the chat when both have' })
  @ApiOkResponse({ type: PayoutSummaryDto })
  @ApiBadRequestResponse({ description: 'The rating, the review or the explanation is out of its limits.' })
  @ApiConflictResponse({ description: 'The chat was not successful, was rated already, or rating has closed.' })
  @HttpCode(200)
  @Post(':id/rate')
  rate(
    @CurrentUser() { id: memberId }: SignedInMember,
    @ChatId() chatId: string,
    @Body() { rating, comment, follow, explanation }: RateChatDto,
    @CurrentCall() call: Call,
  ): Promise<PayoutSummaryDto> {
    const words = { comment, explanation: explanation === undefined || explanation === '' ? null : explanation };
    return this.commands.execute(
      new RateChat(chatId, { rating, follow: follow ?? false, ...words }, { memberId, ...call }),
    );
  }

  @ApiOperation({ summary: 'What a chat has brought the caller' })
  @ApiOkResponse({ type: PayoutSummaryDto })
  @ApiConflictResponse({ description: 'The chat has not ended: `CHAT_NOT_ENDED`.' })
  @Get(':id/payout')
  payout(@CurrentUser() { id }: SignedInMember, @ChatId() chatId: string): Promise<PayoutSummaryDto> {
    return this.queries.execute(new GetPayout(chatId, id));
  }
}
