import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RATING_SHOWN_BY_DEFAULT } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { codePoints, likePattern, searchKey } from '../../platform/text.js';
import { ONLINE_MEMBERS } from '../../realtime/presence-store.js';
import type { MediaType } from '../discovery.dto.js';

/** S0 §2 discovery controls. */
export interface CardFilter {
  readonly search?: string | undefined;
  readonly minRating?: number | undefined;
  readonly onlineOnly?: boolean | undefined;
  readonly mediaType?: MediaType | undefined;
}

/** How many cards, behind how many. */
export interface CardPage {
  readonly limit: number;
  readonly offset: number;
}

/** Of how many pages each connection remembers the plan. */
const PREPARED_OFFSET_MAX = 12 * 12;
const PREPARED_LIMIT_MAX = 13;
/** Shorter text is found in many names, and by no index. */
const TRIGRAM = 3;

/** SQL: the ids (`id`) of everybody who is shown online (`decisions.md`, Realtime). */
const SHOWN_ONLINE = `
  select online.user_id as id from (${ONLINE_MEMBERS}) online
  left join chat_settings s on s.account_id = online.user_id where coalesce(s.is_online, true)`;

const RATING = `coalesce(k.shown_rating, ${RATING_SHOWN_BY_DEFAULT})`;
const BY_ORDER = 'heat desc nulls last, rating desc, id desc';

/** Conditions on member `a` of `accounts`, with their row `k` of `read.cards` where there is one. */
class Conditions {
  readonly values: unknown[] = [];
  private readonly all: string[] = ['a.closed_at is null', 'a.id <> $1'];

  constructor(memberId: string, { search = '', minRating, mediaType }: CardFilter) {
    this.value(memberId);
    if (search !== '') this.all.push(`a.name_key like ${this.value(likePattern(searchKey(search)))} escape '\\'`);
    if (minRating !== undefined) this.all.push(`${RATING} >= ${this.value(minRating)}::numeric`);
    if (mediaType !== undefined) this.all.push(`a.profile_card_content_type like ${this.value(`${mediaType}/%`)}`);
    this.all.push(`not exists (select from read.blocks b
      where (b.blocker_id = $1::text and b.blocked_id = a.id::text) or (b.blocker_id = a.id::text and b.blocked_id = $1::text))`);
  }

  /** The placeholder of one more value. */
  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  get sql(): string {
    return this.all.join(' and ');
  }
}

/** The order of the cards: who is online first, then Nova received on the card, decaying, then rating (`decisions.md`, Discovery). */
@Injectable()
export class CardOrder {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /**
   * Ids of the members on a page, oneself left out. The first pages of each kind are prepared once a connection: planning
   * takes longer than they do. Their limits are in the text, or the plan would be made for any.
   */
  async page(memberId: string, filter: CardFilter, { limit, offset }: CardPage): Promise<string[]> {
    const conditions = new Conditions(memberId, filter);
    const isSearch = (filter.search ?? '') !== '';
    const isSelective = codePoints(filter.search ?? '') >= TRIGRAM;
    const cards = isSelective ? search(conditions, filter) : browse(conditions, filter, limit + offset);
    const text = `${cards} order by is_online desc, ${BY_ORDER} limit ${limit} offset ${offset}`;
    const isPrepared = !isSearch && offset <= PREPARED_OFFSET_MAX && limit <= PREPARED_LIMIT_MAX;
    const { rows } = await this.pool.query<{ id: string }>({
      text,
      values: conditions.values,
      ...(isPrepared && { name: `cards ${hash('md5', text)}` }),
    });
    return rows.map(({ id }) => id);
  }

  /** Whether a member whose card went from one heat to another has passed a card: one of those who are as online as they. */
  async passed(memberId: string, from: number | null, to: number | null): Promise<boolean> {
    // Nobody has received less than nothing.
    if (from === null) return to !== null;
    const { rows } = await this.pool.query<{ passed: boolean }>(
      `with online as materialized (${SHOWN_ONLINE})
       select exists (select from read.cards k
         where k.heat >= $2 and k.heat < $3 and k.user_id <> $1
           and (k.user_id::uuid in (select id from online)) = ($1::uuid in (select id from online))) as passed`,
      [memberId, from, to],
    );
    return rows[0]?.passed === true;
  }

  async heat(memberId: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ heat: number | null }>('select heat from read.cards where user_id = $1', [
      memberId,
    ]);
    return rows[0]?.heat ?? null;
  }
}

/**
 * Along the index of the order, so that a page costs the same however many members there are: the first of those online, of
 * those to whom anything has happened yet, and of the others, the newest first.
 */
const browse = (conditions: Conditions, { onlineOnly = false }: CardFilter, end: number): string => `
  with online as materialized (${SHOWN_ONLINE}),
  here as (
    select a.id, k.heat, ${RATING} as rating
    from online join accounts a using (id) left join read.cards k on k.user_id = a.id::text
    where ${conditions.sql} order by ${BY_ORDER} limit ${end})
  ${
    onlineOnly
      ? ''
      : `, known as (
    select a.id, k.heat, k.shown_rating as rating
    from read.cards k join accounts a on a.id = k.user_id::uuid
    where ${conditions.sql} and a.id not in (select id from online)
    order by k.heat desc nulls last, k.shown_rating desc, k.user_id desc limit ${end}),
  others as (
    select a.id, null::float8 as heat, ${RATING_SHOWN_BY_DEFAULT}::numeric as rating
    from accounts a left join read.cards k on k.user_id = a.id::text
    where ${conditions.sql} and k.user_id is null and a.id not in (select id from online)
    order by a.id desc limit ${end})`
  }
  select id from (
    select *, true as is_online from here
    ${onlineOnly ? '' : 'union all select *, false from known union all select *, false from others'}
  ) cards`;

/** Whom a search finds is known from the trigram index first; then they are put in order. */
const search = (conditions: Conditions, { onlineOnly = false }: CardFilter): string => `
  with online as materialized (${SHOWN_ONLINE})
  select id from (
    select a.id, k.heat, ${RATING} as rating, online.id is not null as is_online
    from accounts a left join read.cards k on k.user_id = a.id::text left join online using (id)
    where ${conditions.sql} ${onlineOnly ? 'and online.id is not null' : ''}
  ) cards`;
