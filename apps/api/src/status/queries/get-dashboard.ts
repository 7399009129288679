import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { isolated, SEYVN_PER_INFLUENCE, SEYVN_PER_KARMA } from '@app/domain';
import { BalanceQueries, type MemberBalances, RatingQueries } from '@app/projections';
import { ChatPartiesDirectory } from '../../chats/chat-parties.js';
import { karmaProgress } from '../../chats/chat-payouts.js';
import { ChatReadModels } from '../../chats/chat-read-models.js';
import { RATING_SHOWN_BY_DEFAULT } from '../../identity/limits.js';
import { MemberRelations } from '../../members/member-relations.js';
import { type Config, InjectConfig } from '../../platform/config.js';
import { toNova } from '../../wallet/nova-amount.js';
import type { DashboardDto, PendingRewardDto } from '../status.dto.js';
import { type PendingRating, PendingRatings } from './pending-ratings.js';

/** The most that are named; the dashboard is no directory. */
const FOLLOW_PERMISSIONS_MAX = 100;

export class GetDashboard extends Query<DashboardDto> {
  constructor(readonly memberId: string) {
    super();
  }
}

/** The value of a member's tokens, and what waits for the member (rule status-1). */
@QueryHandler(GetDashboard)
export class GetDashboardHandler implements IQueryHandler<GetDashboard> {
  constructor(
    private readonly balances: BalanceQueries,
    private readonly readModels: ChatReadModels,
    private readonly pendingRatings: PendingRatings,
    private readonly relations: MemberRelations,
    private readonly ratings: RatingQueries,
    private readonly parties: ChatPartiesDirectory,
    @InjectConfig() private readonly config: Config,
  ) {}

  async execute({ memberId }: GetDashboard): Promise<DashboardDto> {
    const [balances, totals, pending, mutual, rating] = await Promise.all([
      this.balances.member(memberId),
      this.readModels.memberChats.totals(memberId),
      this.pendingRatings.of(memberId),
      this.relations.mutual(memberId, FOLLOW_PERMISSIONS_MAX),
      this.ratings.member(memberId),
    ]);
    const partyOf = await this.parties.find(mutual);
    return {
      earnedNova: toNova(balances.earned),
      purchasedNova: toNova(balances.purchased),
      novaBalance: toNova(balances.nova),
      influenceTokens: Number(balances.influence),
      karmaTokens: totals.karmaEarned,
      karmaTokenBalance: Number(balances.karma),
      karmaTokenProgress: karmaProgress(totals.completed, balances.karma),
      rating: rating?.value ?? RATING_SHOWN_BY_DEFAULT,
      ratingCount: rating?.count ?? 0,
      completedChats: totals.completed,
      pendingRatings: pending.length,
      pendingRewards: toNova(balances.pending),
      pendingRewardItems: pending.map(toPendingReward),
      seyvnBalance: toNova(balances.seyvn),
      seyvnValue: toNova(seyvnValue(balances)),
      followPermissions: mutual.map((id) => partyOf(id)),
      testPerksAllowed: this.config.allowTestPerks,
    };
  }
}

/** Earned Nova + 10 × Influence + 5 × Karma, in minor units (rule status-2). */
const seyvnValue = ({ earned, influence, karma }: MemberBalances): bigint =>
  earned + influence * SEYVN_PER_INFLUENCE + karma * SEYVN_PER_KARMA;

const toPendingReward = ({ chatId, otherUser, nova, influence, rateBy }: PendingRating): PendingRewardDto => ({
  chatId,
  otherUser,
  nova: toNova(nova),
  influence,
  reason: 'rate',
  message: `Rate your chat with ${isolated(otherUser.displayName)} to receive this now.`,
  releaseAt: rateBy.toISOString(),
});
