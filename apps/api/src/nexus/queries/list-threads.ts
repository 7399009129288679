import { type StoredThreadBlock, ThreadQueries } from '@app/projections';
import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { IntersectionType } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { DELETED_MEMBER, type DirectoryMember, MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { withCursor } from '../../wallet/cursors.js';
import { toNova } from '../../wallet/nova-amount.js';
import { CursorPageDto, Limit, LIMIT_MAX } from '../../wallet/paging.dto.js';
import type { ConnectedUserDto, PersonalThreadDto } from '../nexus.dto.js';
import { ThreadOwnerDto, ThreadOwners } from '../thread-owners.js';
import { type ThreadReward, ThreadRewards } from '../thread-rewards.js';

/** The mood of a member who has chosen none (rule discovery-2). */
const DEFAULT_MOOD = 'blue';

/** Members' texts and choices that threads show. They are not part of the blocks. */
@Injectable()
export class ThreadTexts {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Reviews of these chats, as a look-up by chat and author. */
  async reviews(chatIds: readonly string[]): Promise<(chatId: string, raterId: string) => string | null> {
    if (chatIds.length === 0) return () => null;
    const { rows } = await this.pool.query<{ chat_id: string; rater_id: string; comment: string | null }>(
      'select chat_id, rater_id, comment from review_directory where chat_id = any($1::uuid[])',
      [chatIds],
    );
    const comments = new Map(rows.map((row) => [`${row.chat_id} ${row.rater_id}`, row.comment]));
    return (chatId, raterId) => comments.get(`${chatId} ${raterId}`) ?? null;
  }

  async moods(memberIds: readonly string[]): Promise<(memberId: string) => string> {
    const { rows } = await this.pool.query<{ account_id: string; mood: string }>(
      'select account_id, mood from profile_directory where account_id = any($1::uuid[])',
      [memberIds],
    );
    const moods = new Map(rows.map((row) => [row.account_id, row.mood]));
    return (memberId) => moods.get(memberId) ?? DEFAULT_MOOD;
  }
}

export class ThreadPageDto extends IntersectionType(ThreadOwnerDto, CursorPageDto) {
  @Limit()
  override limit: number = LIMIT_MAX;
}

export interface ThreadPage {
  readonly threads: PersonalThreadDto[];
  readonly nextCursor: string | null;
}

/** A member's chain, newest block first, as far as the viewer may see it. */
export class ListThreads extends Query<ThreadPage> {
  constructor(
    readonly viewerId: string,
    readonly page: ThreadPageDto,
  ) {
    super();
  }
}

/** `GET /api/personal-threads` (rule nexus-4). */
@QueryHandler(ListThreads)
export class ListThreadsHandler implements IQueryHandler<ListThreads> {
  constructor(
    private readonly threads: ThreadQueries,
    private readonly owners: ThreadOwners,
    private readonly directory: MemberDirectory,
    private readonly texts: ThreadTexts,
    private readonly rewards: ThreadRewards,
  ) {}

  /** @throws AppError 400 `INVALID_CURSOR`, 404 no such owner */
  async execute({ viewerId, page }: ListThreads): Promise<ThreadPage> {
    const { ownerId = viewerId, limit, cursor } = page;
    await this.owners.require(ownerId, viewerId);
    const { blocks, nextCursor } = await withCursor(() => this.threads.chain({ ownerId, limit, cursor }));
    const connected = [...new Set(blocks.map(({ connectedId }) => connectedId))];
    const readable = blocks.filter((block) => isOfTheTwo(block, viewerId)).map(({ chatId }) => chatId);
    const [members, moodOf, reviewOf, rewards] = await Promise.all([
      this.directory.find(connected),
      this.texts.moods(connected),
      this.texts.reviews(readable),
      viewerId === ownerId ? this.rewards.of(ownerId) : undefined,
    ]);
    const threads = blocks.map((block) => ({
      ...toThread(block),
      ...toChat(isOfTheTwo(block, viewerId) ? block : undefined),
      connectedUser: toConnectedUser(block.connectedId, members.get(block.connectedId)),
      connectedUserMood: moodOf(block.connectedId),
      connectedUserComment: reviewOf(block.chatId, block.connectedId),
      ownerComment: reviewOf(block.chatId, block.ownerId),
      ...toReceived(rewards?.from(block.connectedId)),
    }));
    return { threads, nextCursor };
  }
}

const isOfTheTwo = ({ ownerId, connectedId }: StoredThreadBlock, viewerId: string): boolean =>
  viewerId === ownerId || viewerId === connectedId;

const toThread = (block: StoredThreadBlock) => ({
  id: block.hash,
  ownerId: block.ownerId,
  blockNumber: block.blockNumber,
  connectionType: block.connectionType,
  ownerRole: block.ownerRole,
  previousHash: block.previousHash,
  hash: block.hash,
  at: block.at,
  createdAt: new Date(block.at).toISOString(),
});

/** The fields that are private to the two members of the chat. */
const toChat = (block: StoredThreadBlock | undefined) => ({
  connectedUserRating: block?.receivedRating ?? null,
  ownerRating: block?.givenRating ?? null,
  chatId: block?.chatId ?? null,
  givenRating: block?.givenRating ?? null,
  receivedRating: block?.receivedRating ?? null,
});

const toConnectedUser = (id: string, member: DirectoryMember | undefined): ConnectedUserDto => ({
  id,
  displayName: member?.displayName ?? DELETED_MEMBER,
  profileImageUrl: member?.profileImageUrl ?? null,
});

const toReceived = (
  reward: ThreadReward | undefined,
): Pick<PersonalThreadDto, 'personalNovaReceived' | 'personalNovaOwed'> => ({
  personalNovaReceived: reward ? toNova(reward.paid) : null,
  personalNovaOwed: reward ? toNova(reward.owed) : null,
});
