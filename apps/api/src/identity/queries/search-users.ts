import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { IsNotEmpty } from 'class-validator';
import type pg from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { codePoints, emailKey, likePattern, MemberText, searchKey } from '../../platform/text.js';
import { EMAIL_MAX, SEARCH_MIN, SEARCH_RESULTS_MAX } from '../limits.js';
import { JOIN_RATINGS, RATING_COLUMNS, shownRating } from '../member-ratings.js';

export class UserSearchDto {
  /** Part of a name, or a whole e-mail address; nothing is found before the third character. */
  @MemberText(
    { max: EMAIL_MAX },
    { message: `The search text must be at most ${EMAIL_MAX} characters.`, context: { code: 'INVALID_SEARCH' } },
  )
  @IsNotEmpty({ message: 'Please enter a name or an email address to search for.', context: { code: 'REQUIRED' } })
  query: string;
}

export class FoundUserDto {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  /** 0.00 to 9.99. */
  averageRating: number;
}

export class UserSearchResponse {
  users: FoundUserDto[];
}

/**
 * Members by part of their name or by their whole e-mail address, never oneself nor whoever has blocked one, at most 20. A part of an address finds
 * nobody, or it could be read out letter by letter.
 */
export class SearchUsers extends Query<FoundUserDto[]> {
  constructor(
    readonly text: string,
    readonly searcherId: string,
  ) {
    super();
  }
}

const SEARCH = `
  select a.id, a.display_name, a.profile_image_url, ${RATING_COLUMNS}
  from accounts a ${JOIN_RATINGS}
  where a.closed_at is null and a.id <> $1 and (a.name_key like $2 escape '\\' or a.email_key = $3)
    and not exists (select from read.blocks b where b.blocker_id = a.id::text and b.blocked_id = $1::text)
  order by starts_with(a.name_key, $4) desc, a.name_key, a.id
  limit $5`;

interface FoundRow {
  readonly id: string;
  readonly display_name: string;
  readonly profile_image_url: string | null;
  readonly rating: string | null;
}

@QueryHandler(SearchUsers)
export class SearchUsersHandler implements IQueryHandler<SearchUsers> {
  constructor(@InjectPool() private readonly pool: pg.Pool) {}

  async execute({ text, searcherId }: SearchUsers): Promise<FoundUserDto[]> {
    const name = searchKey(text);
    if (codePoints(name) < SEARCH_MIN) return [];
    const { rows } = await this.pool.query<FoundRow>(SEARCH, [
      searcherId,
      likePattern(name),
      emailKey(text),
      name,
      SEARCH_RESULTS_MAX,
    ]);
    return rows.map(({ id, display_name, profile_image_url, rating }) => ({
      id,
      displayName: display_name,
      profileImageUrl: profile_image_url,
      averageRating: shownRating(rating),
    }));
  }
}
