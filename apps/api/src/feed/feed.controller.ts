import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { RequestId } from '../platform/http/request-id.js';
import { IdParam } from '../platform/id-param.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../platform/ledger/injected-ledger.js';
import { Engage } from './commands/engage.js';
import { ReactToPost } from './commands/react-to-post.js';
import { ScrollPost } from './commands/scroll-post.js';
import { UsePerk } from './commands/use-perk.js';
import { EngagementEventDto, FeedPageDto, RatePostDto, ScrollRequestDto } from './feed-requests.dto.js';
import {
  BoostedDto,
  FeedDto,
  LikeDto,
  PostDto,
  PriorityDto,
  RatedPostDto,
  ScoreDto,
  ScrollDto,
  StatusBarDto,
} from './post.dto.js';
import { Posts } from './queries/posts.js';
import { StatusBar } from './queries/status-bar.js';

const PostId = (): ParameterDecorator => IdParam('id', 'This post');

/** The feed, what viewers do with its posts, and what it earns them. */
@ApiTags('Feed')
@NeedsSession()
@ApiNotFoundResponse({ description: 'There is no such post.' })
@Controller('api')
export class FeedController {
  constructor(
    private readonly commands: CommandBus,
    private readonly posts: Posts,
    private readonly bar: StatusBar,
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'clock'>,
  ) {}

  @ApiOperation({ summary: 'Posts, the most engaging of these days first' })
  @ApiOkResponse({ type: FeedDto })
  @Get('content/feed')
  feed(@CurrentUser() { id }: SignedInMember, @Query() page: FeedPageDto): Promise<FeedDto> {
    return this.posts.feed(id, page);
  }

  @ApiOperation({ summary: 'One post, as its link shows it' })
  @ApiOkResponse({ type: PostDto })
  @Get('content/posts/:id')
  post(@CurrentUser() { id }: SignedInMember, @PostId() postId: string): Promise<PostDto> {
    return this.posts.one(id, postId);
  }

  @ApiOperation({ summary: 'Like a post' })
  @ApiOkResponse({ type: LikeDto })
  @HttpCode(200)
  @Post('content/:id/like')
  async like(
    @CurrentUser() { id }: SignedInMember,
    @PostId() postId: string,
    @RequestId() requestId: string,
  ): Promise<LikeDto> {
    const { isLikedByUser, likeCount } = await this.commands.execute(
      new ReactToPost(id, postId, { type: 'Like' }, requestId),
    );
    return { isLikedByUser, likeCount };
  }

  @ApiOperation({ summary: 'Like it no longer' })
  @ApiOkResponse({ type: LikeDto })
  @HttpCode(200)
  @Delete('content/:id/like')
  async unlike(
    @CurrentUser() { id }: SignedInMember,
    @PostId() postId: string,
    @RequestId() requestId: string,
  ): Promise<LikeDto> {
    const { isLikedByUser, likeCount } = await this.commands.execute(
      new ReactToPost(id, postId, { type: 'Unlike' }, requestId),
    );
    return { isLikedByUser, likeCount };
  }

  @ApiOperation({ summary: 'Rate a post; a later rating stands in for it' })
  @ApiOkResponse({ type: RatedPostDto })
  @HttpCode(200)
  @Post('content/:id/rate')
  async rate(
    @CurrentUser() { id }: SignedInMember,
    @PostId() postId: string,
    @Body() { rating }: RatePostDto,
    @RequestId() requestId: string,
  ): Promise<RatedPostDto> {
    const rated = await this.commands.execute(new ReactToPost(id, postId, { type: 'Rate', rating }, requestId));
    return { myRating: rating, avgRating: rated.avgRating ?? rating, ratingCount: rated.ratingCount };
  }

  @ApiOperation({ summary: 'Use a boost token on one’s own post: its points count double for an hour' })
  @ApiOkResponse({ type: BoostedDto })
  @HttpCode(200)
  @Post('content/:id/boost')
  async boost(
    @CurrentUser() { id }: SignedInMember,
    @PostId() postId: string,
    @RequestId() requestId: string,
  ): Promise<BoostedDto> {
    const until = await this.commands.execute(new UsePerk(id, postId, requestId));
    return { message: 'The points of this post count double for an hour.', boostedUntil: until.toISOString() };
  }

  @ApiOperation({ summary: 'Pay for reading a post: once, and nothing for one’s own' })
  @ApiOkResponse({ type: ScrollDto })
  @HttpCode(200)
  @Post('scroll')
  scroll(
    @CurrentUser() { id }: SignedInMember,
    @Body() { postId }: ScrollRequestDto,
    @CurrentCall() call: Call,
  ): Promise<ScrollDto> {
    return this.commands.execute(new ScrollPost(id, postId, call));
  }

  @ApiOperation({ summary: 'Tell what was done with a post, for its points' })
  @ApiOkResponse({ type: ScoreDto })
  @HttpCode(200)
  @Post('events')
  engage(
    @CurrentUser() { id }: SignedInMember,
    @Body() event: EngagementEventDto,
    @RequestId() requestId: string,
  ): Promise<ScoreDto> {
    return this.commands.execute(new Engage(id, event, requestId));
  }

  @ApiOperation({ summary: 'Points of the day, level, streak and perks' })
  @ApiOkResponse({ type: StatusBarDto })
  @Get('status-bar')
  statusBar(@CurrentUser() { id }: SignedInMember): Promise<StatusBarDto> {
    return this.bar.of(id, this.ledger.clock.now());
  }

  @ApiOperation({ summary: 'Use the day’s priority slot: one’s newest post comes first for an hour' })
  @ApiOkResponse({ type: PriorityDto })
  @HttpCode(200)
  @Post('status-bar/priority')
  async priority(@CurrentUser() { id }: SignedInMember, @RequestId() requestId: string): Promise<PriorityDto> {
    const until = await this.commands.execute(new UsePerk(id, undefined, requestId));
    return { message: 'Your newest post comes first for an hour.', until: until.toISOString() };
  }
}
