import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { MemberDirectory } from '../identity/member-directory.js';
import { MemberRelations } from '../members/member-relations.js';
import { notFound } from '../platform/errors/app-error.js';
import { IdParam } from '../platform/id-param.js';
import { type Call, CurrentCall } from '../platform/current-call.js';
import { withCursor } from '../wallet/cursors.js';
import { CursorPageDto } from '../wallet/paging.dto.js';
import { NavigateCard, NavigateDto } from './commands/navigate-card.js';
import { PostWallComment } from './commands/post-wall-comment.js';
import { ProfileIdDto, UpvoteCard } from './commands/upvote-card.js';
import { DiscoveryFeedDto, NavigatedDto, ProfileCardDto, UpvotedDto } from './discovery.dto.js';
import { Cards } from './queries/cards.js';
import { DiscoveryFilterDto, GetDiscoveryFeed } from './queries/get-discovery-feed.js';
import { Wall } from './queries/wall.js';
import { NewWallCommentDto, PostedWallCommentDto, WallDto } from './wall.dto.js';

const MemberId = (name: string): ParameterDecorator => IdParam(name, 'This profile');

/** The grid of profile cards, and what is paid on them. */
@ApiTags('Discovery')
@NeedsSession()
@ApiNotFoundResponse({ description: 'There is no such member.' })
@Controller('api')
export class DiscoveryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly cards: Cards,
    private readonly wall: Wall,
    private readonly directory: MemberDirectory,
    private readonly relations: MemberRelations,
  ) {}

  @ApiOperation({ summary: 'Profile cards: one’s own, who is online, then by Nova received on the card of late' })
  @ApiOkResponse({ type: DiscoveryFeedDto })
  @Get('discovery/feed')
  feed(@CurrentUser() member: SignedInMember, @Query() filter: DiscoveryFilterDto): Promise<DiscoveryFeedDto> {
    return this.queries.execute(new GetDiscoveryFeed(member.id, filter));
  }

  @ApiOperation({ summary: 'One profile card' })
  @ApiOkResponse({ type: ProfileCardDto })
  @Get('discovery/profiles/:id')
  async profile(@CurrentUser() { id }: SignedInMember, @MemberId('id') profileId: string): Promise<ProfileCardDto> {
    await this.expectShown(profileId, id);
    const [card] = await this.cards.of(id, [profileId]);
    if (!card) throw notFound('This profile');
    return card;
  }

  @ApiOperation({ summary: 'Unlock a card for 50 Nova, or gift its owner 50 Nova' })
  @ApiOkResponse({ type: UpvotedDto })
  @HttpCode(200)
  @Post('discovery/upvote')
  upvote(
    @CurrentUser() { id }: SignedInMember,
    @Body() { profileId }: ProfileIdDto,
    @CurrentCall() call: Call,
  ): Promise<UpvotedDto> {
    return this.commands.execute(new UpvoteCard(id, profileId, call));
  }

  @ApiOperation({ summary: 'See more of a profile for 50 Nova' })
  @ApiOkResponse({ type: NavigatedDto })
  @HttpCode(200)
  @Post('profile/navigate')
  navigate(
    @CurrentUser() { id }: SignedInMember,
    @Body() { profileId }: NavigateDto,
    @CurrentCall() call: Call,
  ): Promise<NavigatedDto> {
    return this.commands.execute(new NavigateCard(id, profileId, call));
  }

  @ApiOperation({ summary: 'Comments on a member’s wall, newest first' })
  @ApiOkResponse({ type: WallDto })
  @Get('profile/:userId/wall')
  async wallOf(
    @CurrentUser() { id }: SignedInMember,
    @MemberId('userId') ownerId: string,
    @Query() { limit, cursor }: CursorPageDto,
  ): Promise<WallDto> {
    const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
    const shown = await withCursor(() => this.wall.page(ownerId, page));
    await this.expectShown(ownerId, id);
    return shown;
  }

  @ApiOperation({ summary: 'Write on a member’s wall: 25 Nova for each started 15 characters' })
  @ApiCreatedResponse({ type: PostedWallCommentDto })
  @Post('profile/:userId/wall')
  comment(
    @CurrentUser() { id }: SignedInMember,
    @MemberId('userId') profileId: string,
    @Body() { comment }: NewWallCommentDto,
    @CurrentCall() call: Call,
  ): Promise<PostedWallCommentDto> {
    return this.commands.execute(new PostWallComment(id, profileId, comment, call));
  }

  /** @throws AppError 404 there is no such member, or one who has blocked the viewer */
  private async expectShown(ownerId: string, viewerId: string): Promise<void> {
    const owner = await this.directory.get(ownerId);
    if (!owner || owner.closed || (await this.relations.isHidden(ownerId, viewerId))) throw notFound('This profile');
  }
}
