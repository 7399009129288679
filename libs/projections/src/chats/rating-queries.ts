import { READ_SCHEMA } from '../schema.js';
import type { Queryable } from '../tables/queryable.js';

/** A member's rating as everybody sees it. */
export interface ShownRating {
  /** 0 to 9.99, two decimals. */
  readonly value: number;
  readonly count: number;
}

/** Reads the read model `ratings`. */
export class RatingQueries {
  constructor(private readonly db: Queryable) {}

  /** Undefined for a member whom no member and no admin has rated. */
  async member(userId: string): Promise<ShownRating | undefined> {
    return (await this.read('rating of a member', 'user_id = $1', userId)).get(userId);
  }

  /** By id; members whom no member and no admin has rated are absent. */
  members(userIds: readonly string[]): Promise<ReadonlyMap<string, ShownRating>> {
    return this.read('ratings of members', 'user_id = any($1)', userIds);
  }

  private async read(
    name: string,
    condition: string,
    asked: string | readonly string[],
  ): Promise<ReadonlyMap<string, ShownRating>> {
    const found = await this.db.query<{ user_id: string; value: string; count: number }>({
      name,
      text: `select user_id, value, count from ${READ_SCHEMA}.member_ratings where ${condition} and value is not null`,
      values: [asked],
    });
    return new Map(found.rows.map(({ user_id, value, count }) => [user_id, { value: Number(value), count }]));
  }
}
