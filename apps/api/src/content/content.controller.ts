import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageResponse } from '../identity/message.dto.js';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { TEXT_BODY_BYTES_MAX, TakesBody } from '../platform/http/bodies.js';
import { RequestId } from '../platform/http/request-id.js';
import { IdParam } from '../platform/id-param.js';
import { ChooseCard } from './commands/choose-card.js';
import { PublishContent } from './commands/publish-content.js';
import { RemoveContent } from './commands/remove-content.js';
import { CardContentDto, ContentItemDto, NewContentDto } from './content.dto.js';
import { MyContent } from './queries/my-content.js';

/** What members show: posts of the feed, and content for their profile card. */
@ApiTags('Content')
@NeedsSession()
@Controller('api')
export class ContentController {
  constructor(
    private readonly commands: CommandBus,
    private readonly mine: MyContent,
  ) {}

  @ApiOperation({ summary: 'One’s own discovery content' })
  @ApiOkResponse({ type: [ContentItemDto] })
  @Get('content/my-discovery')
  myDiscovery(@CurrentUser() { id }: SignedInMember): Promise<ContentItemDto[]> {
    return this.mine.list(id, 'discovery');
  }

  @ApiOperation({ summary: 'One’s own posts' })
  @ApiOkResponse({ type: [ContentItemDto] })
  @Get('content/my-scroll-feed')
  myScrollFeed(@CurrentUser() { id }: SignedInMember): Promise<ContentItemDto[]> {
    return this.mine.list(id, 'feed');
  }

  @ApiOperation({ summary: 'Post an uploaded file in the feed' })
  @ApiCreatedResponse({ type: ContentItemDto })
  @TakesBody(TEXT_BODY_BYTES_MAX)
  @Post('content/scroll-feed')
  publishPost(
    @CurrentUser() { id }: SignedInMember,
    @Body() draft: NewContentDto,
    @RequestId() requestId: string,
  ): Promise<ContentItemDto> {
    return this.commands.execute(new PublishContent(id, 'feed', draft, requestId));
  }

  @ApiOperation({ summary: 'Add an uploaded file to one’s discovery content' })
  @ApiCreatedResponse({ type: ContentItemDto })
  @TakesBody(TEXT_BODY_BYTES_MAX)
  @Post('content/discovery')
  publishDiscovery(
    @CurrentUser() { id }: SignedInMember,
    @Body() draft: NewContentDto,
    @RequestId() requestId: string,
  ): Promise<ContentItemDto> {
    return this.commands.execute(new PublishContent(id, 'discovery', draft, requestId));
  }

  @ApiOperation({ summary: 'Delete one’s own content' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiNotFoundResponse({ description: 'Not there, or somebody else’s.' })
  @HttpCode(200)
  @Delete('content/:id')
  remove(
    @CurrentUser() { id: memberId }: SignedInMember,
    @IdParam('id', 'This content') contentId: string,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new RemoveContent(memberId, contentId, requestId));
  }

  @ApiOperation({ summary: 'Show a piece of one’s discovery content on one’s card' })
  @ApiOkResponse({ type: MessageResponse })
  @Put('profile/card-content')
  chooseCard(
    @CurrentUser() { id: memberId }: SignedInMember,
    @Body() { contentId }: CardContentDto,
    @RequestId() requestId: string,
  ): Promise<MessageResponse> {
    return this.commands.execute(new ChooseCard(memberId, contentId.toLowerCase(), requestId));
  }

  @ApiOperation({ summary: 'Show one’s picture on one’s card' })
  @ApiOkResponse({ type: MessageResponse })
  @HttpCode(200)
  @Delete('profile/card-content')
  clearCard(@CurrentUser() { id: memberId }: SignedInMember, @RequestId() requestId: string): Promise<MessageResponse> {
    return this.commands.execute(new ChooseCard(memberId, null, requestId));
  }
}
