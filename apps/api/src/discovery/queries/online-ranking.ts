import { Injectable } from '@nestjs/common';
import { RATING_SHOWN_BY_DEFAULT } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { ONLINE_MEMBERS } from '../../realtime/presence-store.js';

/** A member who is shown online, with what cards are filtered by. */
export interface OnlineCard {
  readonly id: string;
  readonly nameKey: string;
  readonly rating: number;
  /** Media type of the card's content, null without. */
  readonly contentType: string | null;
}

/** Everybody who is shown online, in the order of the cards. */
export interface OnlineCards {
  readonly cards: readonly OnlineCard[];
  readonly ids: ReadonlySet<string>;
}

/** Changes of online members and of Nova received show after this time at the latest. */
const FRESH_MS = 1_000;

const RANKING = `
  select a.id, a.name_key, coalesce(k.shown_rating, ${RATING_SHOWN_BY_DEFAULT})::float8 as rating,
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
  readonly rating: number;
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
