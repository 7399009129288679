import { RATING_SHOWN_BY_DEFAULT } from '@app/domain';
import { FollowQueries } from '@app/projections';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { MAX, NIL } from 'uuid';
import { InjectPool } from '../../platform/database/database.module.js';
import { codePoints, likePattern, searchKey } from '../../platform/text.js';
import { ONLINE_MEMBERS } from '../../realtime/presence-store.js';
import type { MediaType } from '../discovery.dto.js';

/** A member who is shown online, with what cards are filtered by. */
interface OnlineCard {
  readonly id: string;
  readonly nameKey: string;
  /** Null for members whom nobody has rated. */
  readonly rating: number | null;
  /** Media type of the card's content, null without. */
  readonly contentType: string | null;
}

/** Everybody who is shown online, in the order of the cards. */
interface OnlineCards {
  readonly cards: readonly OnlineCard[];
  readonly ids: ReadonlySet<string>;
}

/** Changes of online members and of Nova received show after this time at the latest. */
const FRESH_MS = 1_000;

const RANKING = `
  select a.id, a.name_key, case when k.rating_mean is not null then k.shown_rating::float8 end as rating,
    a.profile_card_content_type as content_type
  from (${ONLINE_MEMBERS}) online
  join member_directory a on a.id = online.user_id and a.closed_at is null
  left join chat_settings_directory s on s.account_id = a.id
  left join read.cards k on k.user_id = a.id::text
  where coalesce(s.is_online, true)
  order by k.heat desc nulls last, coalesce(k.shown_rating, ${RATING_SHOWN_BY_DEFAULT}) desc, a.id desc`;

interface Row {
  readonly id: string;
  readonly name_key: string;
  readonly rating: number | null;
  readonly content_type: string | null;
}

/** Who is online is the same for every viewer: it is asked for once a second, however many look. */
@Injectable()
export class OnlineRanking {
  private reading: Promise<OnlineCards> | undefined;
  private readAt = -Infinity;

  constructor(@InjectPool() private readonly pool: Pool) {}

  current(): Promise<OnlineCards> {
    if (this.reading && performance.now() - this.readAt < FRESH_MS) return this.reading;
    this.readAt = performance.now();
    const reading = this.read();
    this.reading = reading;
    reading.catch(() => this.forget());
    return reading;
  }

  /** After something that must show at once. */
  forget(): void {
    this.reading = undefined;
  }

  private async read(): Promise<OnlineCards> {
    const { rows } = await this.pool.query<Row>({ name: 'online-ranking', text: RANKING });
    const cards = rows.map(({ id, name_key: nameKey, rating, content_type: contentType }) => ({
      id,
      nameKey,
      rating,
      contentType,
    }));
    return { cards, ids: new Set(cards.map(({ id }) => id)) };
  }
}

/** The filters of the cards (rule discovery-7). */
export interface CardFilter {
  readonly search?: string | undefined;
  readonly minRating?: number | undefined;
  readonly onlineOnly?: boolean | undefined;
  readonly mediaType?: MediaType | undefined;
}

/** The number of cards, and of cards before them. */
export interface CardPage {
  readonly limit: number;
  readonly offset: number;
}

/** A look at the cards: whose, for what, who is online, and who is to be left out. */
export interface Look {
  readonly memberId: string;
  readonly filter: CardFilter;
  /** Part of the names' form for searching; empty where all are looked at. */
  readonly nameKey: string;
  readonly online: OnlineCards;
  readonly blocked: ReadonlySet<string>;
}

/** What a card's place in the order comes from, beside who is online. */
export interface CardPlace {
  readonly heat: number | null;
  readonly rating: number;
}

/** Who upvoted whose card. */
export interface CardUpvote {
  readonly viewerId: string;
  readonly ownerId: string;
}

/** Shorter text occurs in many names, and no index finds it. */
const TRIGRAM = 3;

const RATING = `coalesce(k.shown_rating, ${RATING_SHOWN_BY_DEFAULT})`;
const BY_ORDER = 'heat desc nulls last, rating desc, id desc';

/**
 * Cards that were ahead of one of heat $2 and rating $4, and are behind one of heat $3: where it had received nothing, those
 * that received less, and those ahead by their rating or as newer. Of members to whom nothing has happened, ids above $5.
 */
const PASSED = `
  with passed as (
    select k.user_id::uuid as id from read.cards k where k.heat < $3 and ($2::float8 is null or k.heat >= $2)
    union all
    select k.user_id::uuid from read.cards k
    where $2::float8 is null and k.heat is null and (k.shown_rating, k.user_id) > ($4::numeric, $1::text)
    union all
    select a.id from member_directory a
    where $2::float8 is null and a.id > $5::uuid and not exists (select from read.cards k where k.user_id = a.id::text))
  select exists (select from passed join member_directory using (id) where closed_at is null and id <> all($6::uuid[])`;

/** Conditions on member `a` of `member_directory`, with their row `k` of `read.cards` where there is one. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly all = ['a.closed_at is null'];

  constructor({ memberId, nameKey, filter: { minRating, mediaType }, blocked }: Look) {
    this.all.push(`a.id <> all(${this.value([memberId, ...blocked])}::uuid[])`);
    if (nameKey !== '') this.all.push(`a.name_key like ${this.value(likePattern(nameKey))} escape '\\'`);
    // Not the rating that is shown for members whom nobody has rated. An empty parameter is 0.
    if (minRating !== undefined && minRating > 0) {
      this.all.push(`k.rating_mean is not null and k.shown_rating >= ${this.value(minRating)}::numeric`);
    }
    if (mediaType !== undefined) this.all.push(`a.profile_card_content_type like ${this.value(`${mediaType}/%`)}`);
  }

  /** The placeholder of one more value. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  get sql(): string {
    return this.all.join(' and ');
  }
}

/** The order of the cards: who is online first, then Nova received on the card, decaying, then rating (rule discovery-9). */
@Injectable()
export class CardOrder {
  private readonly follows: FollowQueries;

  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly ranking: OnlineRanking,
  ) {
    this.follows = new FollowQueries(pool);
  }

  /** What the cards of one moment are chosen from. */
  async look(memberId: string, filter: CardFilter): Promise<Look> {
    const [online, blocked] = await Promise.all([this.ranking.current(), this.follows.blockedWith(memberId)]);
    return { memberId, filter, nameKey: searchKey(filter.search ?? ''), online, blocked };
  }

  /** Ids of the members on a page; oneself and whoever is blocked, by either of the two, are left out. */
  async page(look: Look, page: CardPage): Promise<string[]> {
    if (codePoints(look.nameKey) >= TRIGRAM) return this.found(look, page);
    const online = onlineOf(look);
    const shown = online.slice(page.offset, page.offset + page.limit);
    const missing = page.limit - shown.length;
    if (missing === 0 || look.filter.onlineOnly === true) return shown;
    const offset = Math.max(0, page.offset - online.length);
    return [...shown, ...(await this.offline(look, { limit: missing, offset }))];
  }

  /**
   * Whether a card has passed another by what it received: one that the viewer sees beside it, of a member as online as its owner.
   * @param heat what the card has come to
   */
  async passed({ viewerId, ownerId }: CardUpvote, before: CardPlace, heat: number | null): Promise<boolean> {
    this.ranking.forget();
    const [{ ids: online }, blocked] = await Promise.all([this.ranking.current(), this.follows.blockedWith(viewerId)]);
    const isAsOnline = online.has(ownerId) ? 'id = any($7::uuid[])' : 'id <> all($7::uuid[])';
    const { rows } = await this.pool.query<{ passed: boolean }>(`${PASSED} and ${isAsOnline}) as passed`, [
      ownerId,
      before.heat,
      heat,
      before.rating,
      firstUnknownAhead(ownerId, before.rating),
      [viewerId, ownerId, ...blocked],
      [...online],
    ]);
    return rows[0]?.passed === true;
  }

  async place(memberId: string): Promise<CardPlace> {
    const { rows } = await this.pool.query<CardPlace>(
      'select heat, shown_rating::float8 as rating from read.cards where user_id = $1',
      [memberId],
    );
    return rows[0] ?? { heat: null, rating: RATING_SHOWN_BY_DEFAULT };
  }

  /**
   * Along the index of the order, so that a page costs the same however many members there are: the first of those to whom
   * anything has happened yet, and of the others, the newest.
   */
  private async offline(look: Look, { limit, offset }: CardPage): Promise<string[]> {
    const conditions = new Conditions(look);
    const absent = `a.id <> all(${conditions.value([...look.online.ids])}::uuid[])`;
    const end = limit + offset;
    return this.ids(
      `with known as (
         select a.id, k.heat, k.shown_rating as rating
         from read.cards k join member_directory a on a.id = k.user_id::uuid
         where ${conditions.sql} and ${absent}
         order by k.heat desc nulls last, k.shown_rating desc, k.user_id desc limit ${end}),
       others as (
         select a.id, null::float8 as heat, ${RATING_SHOWN_BY_DEFAULT}::numeric as rating
         from member_directory a left join read.cards k on k.user_id = a.id::text
         where ${conditions.sql} and ${absent} and k.user_id is null
         order by a.id desc limit ${end})
       select id from (select * from known union all select * from others) cards
       order by ${BY_ORDER} limit ${limit} offset ${offset}`,
      conditions,
    );
  }

  /** The trigram index finds the members of a search first; then they are sorted. */
  private async found(look: Look, { limit, offset }: CardPage): Promise<string[]> {
    const conditions = new Conditions(look);
    const isOnline = `a.id = any(${conditions.value([...look.online.ids])}::uuid[])`;
    const only = look.filter.onlineOnly === true ? `and ${isOnline}` : '';
    return this.ids(
      `select id from (
         select a.id, k.heat, ${RATING} as rating, ${isOnline} as is_online
         from member_directory a left join read.cards k on k.user_id = a.id::text
         where ${conditions.sql} ${only}
       ) cards order by is_online desc, ${BY_ORDER} limit ${limit} offset ${offset}`,
      conditions,
    );
  }

  private async ids(text: string, { values }: Conditions): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(text, values);
    return rows.map(({ id }) => id);
  }
}

/** Ids of members who are shown online, in the order of the cards; `page` begins with them. */
export const onlineOf = (look: Look): string[] =>
  look.online.cards.filter((card) => isShown(card, look)).map(({ id }) => id);

function isShown(card: OnlineCard, { memberId, nameKey, filter, blocked }: Look): boolean {
  const { minRating, mediaType } = filter;
  if (card.id === memberId || blocked.has(card.id)) return false;
  if (!card.nameKey.includes(nameKey)) return false;
  if (minRating !== undefined && minRating > 0 && (card.rating ?? 0) < minRating) return false;
  return mediaType === undefined || card.contentType?.startsWith(`${mediaType}/`) === true;
}

/** Members to whom nothing has happened have the rating by default: those with ids above this are ahead of a card. */
function firstUnknownAhead(ownerId: string, rating: number): string {
  if (rating === RATING_SHOWN_BY_DEFAULT) return ownerId;
  return rating < RATING_SHOWN_BY_DEFAULT ? NIL : MAX;
}
