import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { REQUEST_COOLDOWN_MS } from '@app/domain';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNumber, IsOptional, Max, Min } from 'class-validator';
import type pg from 'pg';
import { JOIN_RATINGS, shownRating } from '../../identity/member-ratings.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { likePattern, MemberText, searchKey } from '../../platform/text.js';
import { ONLINE_MEMBERS } from '../../realtime/presence-store.js';
import { LIMIT_MAX } from '../../wallet/paging.dto.js';
import type { CardContentDto, DiscoveryFeedDto, MediaType, ProfileCardDto } from '../discovery.dto.js';
import { MEDIA_TYPES } from '../discovery.dto.js';

/** S0 §9: discovery grid batch. */
const BATCH = 12;
const OFFSET_MAX = 100_000;
const SEARCH_MAX = 100;
const RATING_MAX = 10;
/** S0 §3: the default mood. */
const MOOD = 'blue';

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false, '': false };
/** An empty parameter is an absent one: clients send their forms as they are. */
const EmptyIsAbsent = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));
const WRONG_PAGE = { context: { code: 'INVALID_PAGE' } };

/** `GET /api/discovery/feed` (S0 §2 discovery controls). */
export class DiscoveryFilterDto {
  @ApiPropertyOptional({ description: 'Part of a name.', maxLength: SEARCH_MAX })
  @MemberText({ max: SEARCH_MAX }, { message: `The search text must be at most ${SEARCH_MAX} characters.` })
  @IsOptional()
  search?: string;

  @ApiPropertyOptional({ minimum: 0, maximum: RATING_MAX })
  @Max(RATING_MAX, { message: `The lowest rating must be from 0 to ${RATING_MAX}.` })
  @Min(0, { message: `The lowest rating must be from 0 to ${RATING_MAX}.` })
  @IsNumber({}, { message: 'The lowest rating must be a number.' })
  @Type(() => Number)
  @EmptyIsAbsent()
  @IsOptional()
  minRating?: number;

  @ApiPropertyOptional({ type: 'boolean', default: false })
  @IsBoolean({ message: 'onlineOnly must be true or false.' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (FLAGS[value] ?? value) : value))
  @IsOptional()
  onlineOnly?: boolean;

  @ApiPropertyOptional({ enum: MEDIA_TYPES })
  @IsIn(MEDIA_TYPES, { message: 'mediaType must be image or video.' })
  @EmptyIsAbsent()
  @IsOptional()
  mediaType?: MediaType;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: BATCH })
  @Max(LIMIT_MAX, { message: `The limit must be from 1 to ${LIMIT_MAX}.`, ...WRONG_PAGE })
  @Min(1, { message: `The limit must be from 1 to ${LIMIT_MAX}.`, ...WRONG_PAGE })
  @IsInt({ message: 'The limit must be a whole number.', ...WRONG_PAGE })
  @Type(() => Number)
  @IsOptional()
  limit: number = BATCH;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: OFFSET_MAX, default: 0 })
  @Max(OFFSET_MAX, { message: `The offset must be from 0 to ${OFFSET_MAX}.`, ...WRONG_PAGE })
  @Min(0, { message: `The offset must be from 0 to ${OFFSET_MAX}.`, ...WRONG_PAGE })
  @IsInt({ message: 'The offset must be a whole number.', ...WRONG_PAGE })
  @Type(() => Number)
  @IsOptional()
  offset: number = 0;
}

/** Members other than the one who looks, with what is needed to ask them for a chat. */
export class GetDiscoveryFeed extends Query<DiscoveryFeedDto> {
  constructor(
    readonly memberId: string,
    readonly filter: DiscoveryFilterDto,
  ) {
    super();
  }
}

const SHOWN = `
  from accounts a
  left join chat_settings s on s.account_id = a.id
  ${JOIN_RATINGS}
  left join (${ONLINE_MEMBERS}) online on online.user_id = a.id
  cross join lateral (select
    coalesce(r.value, $2::numeric) as rating,
    online.user_id is not null and coalesce(s.is_online, true) as is_online) shown
  where a.closed_at is null and a.id <> $1
    and ($3::text is null or a.name_key like $3 escape '\\')
    and ($4::numeric is null or shown.rating >= $4)
    and (not $5::boolean or shown.is_online)
    and ($6::text is null or a.profile_card_content_type like $6)`;

const FEED = `
  with page as (
    select a.id, a.display_name, a.profile_image_url, a.profile_card_thumbnail_url, a.profile_card_content_url,
      a.profile_card_content_type, shown.rating, coalesce(r.count, 0) as rating_count, shown.is_online,
      coalesce(s.allow_direct_chats, true) as allow_direct_chats, coalesce(s.minimum_chat_price, 1) as minimum_chat_price
    ${SHOWN}
    order by shown.is_online desc, shown.rating desc, rating_count desc, a.id
    limit $7 offset $8)
  select page.*,
    (select count(*)::int from read.follows f where f.followed_id = page.id::text) as followers,
    (select count(*)::int from read.follows f where f.follower_id = page.id::text) as following,
    (select max(c.ended_at) from read.chats c
      where c.status in ('declined', 'expired')
        and (c.initiator_id, c.host_id) in (($1::text, page.id::text), (page.id::text, $1::text))) as refused_at
  from page order by is_online desc, rating desc, rating_count desc, id`;

interface CardRow {
  readonly id: string;
  readonly display_name: string;
  readonly profile_image_url: string | null;
  readonly profile_card_thumbnail_url: string | null;
  readonly profile_card_content_url: string | null;
  readonly profile_card_content_type: string | null;
  readonly rating: string;
  readonly rating_count: number;
  readonly is_online: boolean;
  readonly allow_direct_chats: boolean;
  readonly minimum_chat_price: string;
  readonly followers: number;
  readonly following: number;
  readonly refused_at: Date | null;
}

@QueryHandler(GetDiscoveryFeed)
export class GetDiscoveryFeedHandler implements IQueryHandler<GetDiscoveryFeed> {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async execute({ memberId, filter }: GetDiscoveryFeed): Promise<DiscoveryFeedDto> {
    const { search = '', minRating = null, onlineOnly = false, mediaType, limit, offset } = filter;
    const values = [
      memberId,
      shownRating(null),
      search === '' ? null : likePattern(searchKey(search)),
      minRating,
      onlineOnly,
      mediaType === undefined ? null : `${mediaType}/%`,
    ];
    const [page, count] = await Promise.all([
      this.pool.query<CardRow>(FEED, [...values, limit, offset]),
      this.pool.query<{ total: number }>(`select count(*)::int as total ${SHOWN}`, values),
    ]);
    const now = Date.now();
    return { profiles: page.rows.map((row) => toCard(row, now)), total: count.rows[0]?.total ?? 0 };
  }
}

function toCard(row: CardRow, now: number): ProfileCardDto {
  const content = toContent(row);
  return {
    id: row.id,
    displayName: row.display_name,
    profileImageUrl: row.profile_image_url,
    profileCardThumbnailUrl: row.profile_card_thumbnail_url,
    profileCardContent: content,
    mediaUrl: content?.mediaUrl ?? null,
    rating: Number(row.rating),
    ratingCount: row.rating_count,
    followerCount: row.followers,
    followingCount: row.following,
    isOnline: row.is_online,
    mood: MOOD,
    status: null,
    occupation: null,
    ambitions: null,
    relationshipStatus: null,
    compatibilityScore: null,
    minimumChatPrice: Number(row.minimum_chat_price),
    allowDirectChats: row.allow_direct_chats,
    cooldownUntil: cooldownUntil(row.refused_at, now),
  };
}

function toContent(row: CardRow): CardContentDto | null {
  const { profile_card_content_url: mediaUrl, profile_card_content_type: type } = row;
  if (mediaUrl === null || type === null) return null;
  return { contentType: type.startsWith('video/') ? 'video' : 'image', mediaUrl, caption: null };
}

/** `decisions.md`, Chats: 60 s after a declined or expired request between the same two. */
function cooldownUntil(refusedAt: Date | null, now: number): string | null {
  const until = (refusedAt?.getTime() ?? -Infinity) + REQUEST_COOLDOWN_MS;
  return until > now ? new Date(until).toISOString() : null;
}
