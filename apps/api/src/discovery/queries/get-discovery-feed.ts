import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, IsBoolean, IsIn, IsNumber, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { EmptyIsAbsent, MemberText } from '../../platform/text.js';
import { INVALID_PAGE, Limit, LIMIT_MAX, Offset } from '../../wallet/paging.dto.js';
import type { DiscoveryFeedDto, MediaType } from '../discovery.dto.js';
import { MEDIA_TYPES } from '../discovery.dto.js';
import { CardOrder, onlineOf } from './card-order.js';
import { Cards } from './cards.js';

/** Cards come in batches of this many (rule discovery-6). */
const BATCH = 12;
const OFFSET_MAX = 100_000;
const SEARCH_MAX = 100;
const RATING_MAX = 10;
/** The most ids of members who are online in one answer. */
const ONLINE_MAX = 300;

const FLAGS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false, '': false };

/** `GET /api/discovery/feed` (rule discovery-7). */
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

  @ApiPropertyOptional({
    type: String,
    description: 'The cards of these members alone, whatever else is asked for: ids with commas between.',
  })
  @ArrayMaxSize(LIMIT_MAX, { message: `The ids must be ${LIMIT_MAX} at most.` })
  @IsUUID('all', { each: true, message: 'The ids must be those of members.' })
  @Transform(({ value }: { value: unknown }) => [value].flat().join().toLowerCase().split(','))
  @IsOptional()
  ids?: string[];

  @Limit(INVALID_PAGE)
  limit: number = BATCH;

  @Offset(OFFSET_MAX)
  offset: number = 0;
}

/** Profile cards, with what is needed to ask their owners for a chat. */
export class GetDiscoveryFeed extends Query<DiscoveryFeedDto> {
  constructor(
    readonly memberId: string,
    readonly filter: DiscoveryFilterDto,
  ) {
    super();
  }
}

/** One's own card is the first of all, where nothing is looked for. */
const isUnfiltered = ({ search = '', minRating, onlineOnly = false, mediaType }: DiscoveryFilterDto): boolean =>
  search === '' && minRating === undefined && !onlineOnly && mediaType === undefined;

@QueryHandler(GetDiscoveryFeed)
export class GetDiscoveryFeedHandler implements IQueryHandler<GetDiscoveryFeed> {
  constructor(
    private readonly order: CardOrder,
    private readonly cards: Cards,
  ) {}

  async execute({ memberId, filter }: GetDiscoveryFeed): Promise<DiscoveryFeedDto> {
    const { ids, limit, offset } = filter;
    const look = await this.order.look(memberId, filter);
    const online = onlineOf(look).slice(0, ONLINE_MAX);
    if (ids) {
      const seen = ids.filter((id) => !look.blocked.has(id));
      return { profiles: await this.cards.of(memberId, seen), hasMore: false, online };
    }
    const own = isUnfiltered(filter) ? 1 : 0;
    const first = offset === 0 ? own : 0;
    const page = { limit: limit - first + 1, offset: Math.max(0, offset - own) };
    const others = await this.order.page(look, page);
    const shown = others.slice(0, limit - first);
    const profiles = await this.cards.of(memberId, first === 1 ? [memberId, ...shown] : shown);
    return { profiles, hasMore: others.length > shown.length, ...(offset === 0 && { online }) };
  }
}
