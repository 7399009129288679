import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { MemberChatQueries, type MemberChatTotals, StatementQueries } from '@app/projections';
import type { Pool } from 'pg';
import { JOIN_RATINGS, RATING_COLUMNS, shownRating } from '../../identity/member-ratings.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { unauthenticated } from '../../platform/errors/app-error.js';
import { toNova } from '../../wallet/nova-amount.js';
import { type ChatSettings, ChatSettingsStore } from '../chat-settings.js';
import type { ProfileDto } from '../profile.dto.js';
import { PROFILE_TEXT_COLUMNS, PROFILE_TEXTS_DEFAULT, type ProfileTexts } from '../profile-store.js';

export class GetProfile extends Query<ProfileDto> {
  constructor(readonly memberId: string) {
    super();
  }
}

/** Shown while a member has no data of their own (rule profiles-6). */
const SUCCESS_RATE_DEFAULT = 95;
const RESPONSE_MINUTES_DEFAULT = 2;
const MINUTE_MS = 60_000;

/** A member without a row of their own has null in all of its columns. */
type ProfileRow = { readonly [K in keyof ProfileTexts]: string | null } & {
  readonly id: string;
  readonly display_name: string;
  readonly email: string;
  readonly profile_image_url: string | null;
  readonly profile_card_thumbnail_url: string | null;
  readonly profile_card_content_url: string | null;
  readonly profile_card_content_type: string | null;
  readonly card_content_id: string | null;
  readonly rating: string | null;
  readonly rating_count: number;
};

const FIND = `
  select a.id, a.display_name, a.email, a.profile_image_url, a.profile_card_thumbnail_url, a.profile_card_content_url,
    a.profile_card_content_type, p.card_content_id, ${PROFILE_TEXT_COLUMNS}, ${RATING_COLUMNS}
  from member_directory a left join profiles p on p.account_id = a.id ${JOIN_RATINGS}
  where a.id = $1 and a.closed_at is null`;

/** One's own profile with its figures (rule profiles-1). */
@QueryHandler(GetProfile)
export class GetProfileHandler implements IQueryHandler<GetProfile> {
  private readonly memberChats: MemberChatQueries;
  private readonly statement: StatementQueries;

  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly settings: ChatSettingsStore,
  ) {
    this.memberChats = new MemberChatQueries(pool);
    this.statement = new StatementQueries(pool);
  }

  /** @throws AppError 401 the account was closed meanwhile */
  async execute({ memberId }: GetProfile): Promise<ProfileDto> {
    const [{ rows }, settings, chats, earned] = await Promise.all([
      this.pool.query<ProfileRow>({ name: 'find profile', text: FIND, values: [memberId] }),
      this.settings.of(memberId),
      this.memberChats.totals(memberId),
      this.statement.earnedFromOthers(memberId),
    ]);
    const [row] = rows;
    if (!row) throw unauthenticated();
    return { ...fromRow(row), ...fromSettings(settings), ...figures(chats), totalEarnings: toNova(earned) };
  }
}

const fromRow = (row: ProfileRow) => {
  const { profile_card_content_url: url, profile_card_content_type: type } = row;
  return {
    id: row.id,
    displayName: row.display_name,
    bio: row.bio,
    location: row.location,
    website: row.website,
    email: row.email,
    profileImageUrl: row.profile_image_url,
    profileCardThumbnailUrl: row.profile_card_thumbnail_url,
    profileCardContent: url !== null && type !== null ? { url, type } : null,
    profileCardContentId: row.card_content_id,
    averageRating: shownRating(row.rating),
    ratingCount: row.rating_count,
    mood: row.mood ?? PROFILE_TEXTS_DEFAULT.mood,
    status: row.status,
    occupation: row.occupation,
    ambitions: row.ambitions,
    relationshipStatus: row.relationshipStatus,
  };
};

const fromSettings = ({ isOnline, allowDirectChats, minimumChatPriceCents }: ChatSettings) => ({
  isOnline,
  allowDirectChats,
  minimumChatPrice: minimumChatPriceCents / 100,
});

/** Counts the chats in which the member was host, because others look at these figures to choose a host. */
const figures = ({ acceptedAsHost: accepted, successfulAsHost, responseMs, completed }: MemberChatTotals) => ({
  successRate: accepted === 0 ? SUCCESS_RATE_DEFAULT : Math.round((100 * successfulAsHost) / accepted),
  responseTimeMinutes:
    accepted === 0 ? RESPONSE_MINUTES_DEFAULT : Math.round((10 * responseMs) / accepted / MINUTE_MS) / 10,
  completedChats: completed,
});
