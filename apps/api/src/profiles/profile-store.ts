import { Injectable } from '@nestjs/common';
import { MOOD_DEFAULT } from '@app/domain';
import type { Pool, PoolClient } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** What a member says about themselves. */
export interface ProfileTexts {
  readonly bio: string | null;
  readonly location: string | null;
  readonly website: string | null;
  readonly mood: string;
  readonly status: string | null;
  readonly occupation: string | null;
  readonly ambitions: string | null;
  readonly relationshipStatus: string | null;
}

/** Undefined fields stay unchanged. */
export type ProfileTextChanges = { readonly [K in keyof ProfileTexts]?: string | null | undefined };

const COLUMNS: Readonly<Record<keyof ProfileTexts, string>> = {
  bio: 'bio',
  location: 'location',
  website: 'website',
  mood: 'mood',
  status: 'status',
  occupation: 'occupation',
  ambitions: 'ambitions',
  relationshipStatus: 'relationship_status',
};
const FIELDS = Object.keys(COLUMNS) as (keyof ProfileTexts)[];

export const PROFILE_TEXTS_DEFAULT: ProfileTexts = {
  bio: null,
  location: null,
  website: null,
  mood: MOOD_DEFAULT,
  status: null,
  occupation: null,
  ambitions: null,
  relationshipStatus: null,
};

/** The columns of `profiles p` under their names in `ProfileTexts`. */
export const PROFILE_TEXT_COLUMNS = FIELDS.map((field) => `p.${COLUMNS[field]} as "${field}"`).join(', ');

/** What members say about themselves: a row for each member who ever said anything. */
@Injectable()
export class ProfileStore {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Changes the given texts, in the caller's transaction if there is one, and returns all of them. */
  async change(
    accountId: string,
    changes: ProfileTextChanges,
    db: Pool | PoolClient = this.pool,
  ): Promise<ProfileTexts> {
    const values = withDefaultMood(changes);
    const given = FIELDS.filter((field) => values[field] !== undefined);
    const columns = ['account_id', ...given.map((field) => COLUMNS[field])];
    // Without a `set`, the statement would not return the row when no text is given.
    const sets = columns.map((column) => `${column} = excluded.${column}`);
    const { rows } = await db.query<ProfileTexts>(
      `insert into profiles as p (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
       on conflict (account_id) do update set ${sets.join(', ')} returning ${PROFILE_TEXT_COLUMNS}`,
      [accountId, ...given.map((field) => values[field])],
    );
    const [row] = rows;
    if (!row) throw new Error('the profile was not written');
    return row;
  }
}

/**
 * Chooses the content that a member's card shows, in the caller's transaction. Null shows the member's picture.
 * @param changes of the card up to this one
 * @returns false if the stored choice is as new or newer
 */
export async function chooseForCard(
  client: PoolClient,
  accountId: string,
  { contentId, changes }: { readonly contentId: string | null; readonly changes: number },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into profiles as p (account_id, card_content_id, card_changes) values ($1, $2, $3)
     on conflict (account_id) do update set card_content_id = excluded.card_content_id, card_changes = excluded.card_changes
     where p.card_changes < excluded.card_changes`,
    [accountId, contentId, changes],
  );
  return rowCount === 1;
}

/** Every member has a mood. */
const withDefaultMood = (changes: ProfileTextChanges): ProfileTextChanges =>
  changes.mood === null ? { ...changes, mood: MOOD_DEFAULT } : changes;
