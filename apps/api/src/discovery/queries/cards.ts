import { Injectable } from '@nestjs/common';
import { compatibility, REQUEST_COOLDOWN_MS } from '@app/domain';
import type { Pool } from 'pg';
import { JOIN_RATINGS, shownRating } from '../../identity/member-ratings.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { ResonanceStore } from '../../resonance/resonance-store.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { CardMediaDto, ProfileCardDto } from '../discovery.dto.js';
import { OnlineRanking } from './card-order.js';
import { WALL_COUNT } from './wall.js';

/** The default mood (rule discovery-2). */
const MOOD = 'blue';

const CARDS = `
  select a.id, a.display_name, a.profile_image_url, a.profile_card_thumbnail_url, a.is_admin,
    c.id as content_id, c.content_type, c.media_type, c.media_url, c.thumbnail_url, c.caption,
    r.value as rating, coalesce(r.count, 0) as rating_count,
    coalesce(k.followers, 0) as followers, coalesce(k.following, 0) as following,
    ${WALL_COUNT} as wall_count,
    coalesce(s.is_online, true) as may_show_online,
    coalesce(s.allow_direct_chats, true) as allow_direct_chats, coalesce(s.minimum_chat_price, 1) as minimum_chat_price,
    f.mood, f.status, f.occupation, f.ambitions, f.relationship_status,
    exists (select from read.card_unlocks u where u.viewer_id = $1 and u.owner_id = a.id::text) as unlocked,
    (select max(h.ended_at) from read.chats h
      where h.status in ('declined', 'expired')
        and (h.initiator_id, h.host_id) in (($1, a.id::text), (a.id::text, $1))) as refused_at
  from unnest($2::uuid[]) with ordinality as page(id, n)
  join member_directory a on a.id = page.id and a.closed_at is null
  left join profile_directory f on f.account_id = a.id
  left join content_directory c on c.id = f.card_content_id and c.removed_at is null
  left join chat_settings_directory s on s.account_id = a.id
  left join read.cards k on k.user_id = a.id::text
  ${JOIN_RATINGS}
  order by page.n`;

interface CardRow {
  readonly id: string;
  readonly display_name: string;
  readonly profile_image_url: string | null;
  readonly profile_card_thumbnail_url: string | null;
  readonly is_admin: boolean;
  readonly content_id: string | null;
  readonly content_type: CardMediaDto['contentType'] | null;
  readonly media_type: string | null;
  readonly media_url: string | null;
  readonly thumbnail_url: string | null;
  readonly caption: string | null;
  readonly rating: string | null;
  readonly rating_count: number;
  readonly followers: number;
  readonly following: number;
  readonly wall_count: number;
  readonly may_show_online: boolean;
  readonly allow_direct_chats: boolean;
  readonly minimum_chat_price: string;
  readonly mood: string | null;
  readonly status: string | null;
  readonly occupation: string | null;
  readonly ambitions: string | null;
  readonly relationship_status: string | null;
  readonly unlocked: boolean;
  readonly refused_at: Date | null;
}

/** What a card shows beside its row. */
interface Around {
  readonly viewerId: string;
  readonly isOnline: boolean;
  readonly compatibilityScore: number | null;
  /** Minor units; one's own card only. */
  readonly balance: bigint | undefined;
}

/** Profile cards as one member sees them. */
@Injectable()
export class Cards {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly ranking: OnlineRanking,
    private readonly resonance: ResonanceStore,
    private readonly readModels: ReadModels,
  ) {}

  /** The cards of these members, in this order; those who are gone are left out. */
  async of(viewerId: string, memberIds: readonly string[]): Promise<ProfileCardDto[]> {
    if (memberIds.length === 0) return [];
    const [{ rows }, online, profiles, balance] = await Promise.all([
      this.pool.query<CardRow>({ name: 'cards', text: CARDS, values: [viewerId, memberIds] }),
      this.ranking.current(),
      this.resonance.find([viewerId, ...memberIds]),
      memberIds.includes(viewerId) ? this.readModels.novaBalance(viewerId) : undefined,
    ]);
    const mine = profiles.get(viewerId);
    return rows.map((row) => {
      const theirs = row.id === viewerId ? undefined : profiles.get(row.id);
      const compatibilityScore = mine && theirs ? compatibility(mine, theirs) : null;
      // Who looks at their own card is here, though the page's connection may come after it.
      const isOnline = row.id === viewerId ? row.may_show_online : online.ids.has(row.id);
      return toCard(row, { viewerId, isOnline, compatibilityScore, balance });
    });
  }
}

function toCard(row: CardRow, { viewerId, isOnline, compatibilityScore, balance }: Around): ProfileCardDto {
  const content = toContent(row);
  const isOwn = row.id === viewerId;
  return {
    id: row.id,
    displayName: row.display_name,
    profileImageUrl: row.profile_image_url,
    profileCardThumbnailUrl: row.profile_card_thumbnail_url,
    profileCardContent: content,
    mediaUrl: content?.mediaUrl ?? null,
    rating: shownRating(row.rating),
    ratingCount: row.rating_count,
    followerCount: row.followers,
    followingCount: row.following,
    isOnline,
    mood: row.mood ?? MOOD,
    status: row.status,
    occupation: row.occupation,
    ambitions: row.ambitions,
    relationshipStatus: row.relationship_status,
    compatibilityScore,
    minimumChatPrice: Number(row.minimum_chat_price),
    allowDirectChats: row.allow_direct_chats,
    cooldownUntil: cooldownUntil(row.refused_at),
    isOwn,
    isUnlocked: row.unlocked,
    wallCount: row.wall_count,
    ...(isOwn && balance !== undefined && { novaBalance: toNova(balance), isAdmin: row.is_admin }),
  };
}

function toContent(row: CardRow): CardMediaDto | null {
  const { content_id: id, content_type: contentType, media_type: type, media_url: mediaUrl } = row;
  if (id === null || contentType === null || type === null || mediaUrl === null) return null;
  return { id, contentType, mediaUrl, thumbnailUrl: row.thumbnail_url, caption: row.caption, url: mediaUrl, type };
}

/** 60 s after a declined or expired request between the same two (rule chats-8). */
function cooldownUntil(refusedAt: Date | null): string | null {
  const until = (refusedAt?.getTime() ?? -Infinity) + REQUEST_COOLDOWN_MS;
  return until > Date.now() ? new Date(until).toISOString() : null;
}
