import {
  accountOwner,
  CHAT_SPLIT,
  CHATS_PER_KARMA,
  type ChatSide,
  type ChatState,
  isolated,
  isThreadPool,
  splitByWeights,
  TOKEN_POOLS,
} from '@app/domain';
import { BalanceQueries, type PoolStanding } from '@app/projections';
import { Injectable } from '@nestjs/common';
import { toNova } from '../wallet/nova-amount.js';
import { sideOf } from './chat-access.js';
import { isSuccessful } from './chat-messages.js';
import { ChatPartiesDirectory } from './chat-parties.js';
import { ChatReadModels } from './chat-read-models.js';
import type { PresentChat } from './chat-store.js';
import type {
  KarmaTokenProgressDto,
  PayoutSummaryDto,
  PerpetualBenefitsDto,
  ThreadRewardDto,
  TokenRewardDto,
} from './chats.dto.js';

/** Which payments each pool shares (rules chats-24, gifts-2). */
const RULES: readonly (readonly [pool: string, rule: string])[] = [
  [TOKEN_POOLS.karma, 'Karma: 10% of every chat payment, shared equally by all Karma tokens'],
  [TOKEN_POOLS.influence, 'Influence: 50% of every gift and card payment, shared equally by all Influence points'],
];

/** A member's income from shares in reward pools so far, paid and owed (rule chats-28). */
@Injectable()
export class PerpetualBenefits {
  constructor(
    private readonly balances: BalanceQueries,
    private readonly readModels: ChatReadModels,
    private readonly parties: ChatPartiesDirectory,
  ) {}

  async of(memberId: string): Promise<PerpetualBenefitsDto> {
    const [standings, paid] = await Promise.all([
      this.balances.pools(memberId),
      this.readModels.poolRewards.paid(memberId),
    ]);
    const rewards = new Map<string, Reward>(standings.map((standing) => [standing.pool, rewardOf(standing)]));
    for (const { pool, paid: amount } of paid) {
      const reward = rewards.get(pool) ?? NO_SHARES;
      rewards.set(pool, { ...reward, amount: reward.amount + amount });
    }
    const tokens = RULES.flatMap(([pool, rule]) => tokenReward(rule, rewards.get(pool)));
    const threads = await this.threads(rewards);
    return {
      hasTokenRewards: tokens.length > 0,
      hasThreadRewards: threads.length > 0,
      totalTokenRewards: toNova(sumOf(rewards, (pool) => !isThreadPool(pool))),
      totalThreadRewards: toNova(sumOf(rewards, isThreadPool)),
      tokenBreakdown: tokens,
      threadBreakdown: threads,
    };
  }

  private async threads(rewards: ReadonlyMap<string, Reward>): Promise<ThreadRewardDto[]> {
    const threads = [...rewards].filter(([pool]) => isThreadPool(pool));
    const partyOf = await this.parties.find(threads.map(([pool]) => accountOwner(pool)));
    return threads.map(([pool, { shares, memberShares, amount }]) => ({
      ownershipPercentage: shares === 0n ? 0 : Number((memberShares * 10_000n) / shares) / 100,
      threadSource: `Chats hosted by ${isolated(partyOf(accountOwner(pool)).displayName)}`,
      amount: toNova(amount),
    }));
  }
}

interface Reward {
  readonly shares: bigint;
  readonly memberShares: bigint;
  /** Minor units, paid and owed. */
  readonly amount: bigint;
}

/** A pool that the member has left: its payments remain. */
const NO_SHARES: Reward = { shares: 0n, memberShares: 0n, amount: 0n };

const rewardOf = ({ shares, memberShares, owed }: PoolStanding): Reward => ({ shares, memberShares, amount: owed });

const tokenReward = (rule: string, reward: Reward | undefined): TokenRewardDto[] =>
  reward ? [{ tokenCount: Number(reward.memberShares), distributionRule: rule, amount: toNova(reward.amount) }] : [];

function sumOf(rewards: ReadonlyMap<string, Reward>, counts: (pool: string) => boolean): bigint {
  let sum = 0n;
  for (const [pool, { amount }] of rewards) if (counts(pool)) sum += amount;
  return sum;
}

/** One side's result of an ended chat (rule chats-28). */
@Injectable()
export class ChatPayouts {
  constructor(
    private readonly balances: BalanceQueries,
    private readonly readModels: ChatReadModels,
    private readonly benefits: PerpetualBenefits,
  ) {}

  /** @throws AppError 404 the member is not one of the two */
  async summary(chat: PresentChat, memberId: string): Promise<PayoutSummaryDto> {
    const { state, chatId } = chat;
    const side = sideOf(chat, memberId);
    const [balance, row, totals, perpetualBenefits] = await Promise.all([
      this.balances.member(memberId),
      this.readModels.chats.byId(chatId),
      this.readModels.memberChats.totals(memberId),
      this.benefits.of(memberId),
    ]);
    const earned = side === 'host' ? hostShare(state) : 0n;
    const influence = side === 'host' ? row?.hostInfluence : row?.initiatorInfluence;
    return {
      chatId,
      novaEarned: toNova(earned),
      isInitiator: side === 'initiator',
      influencePointsEarned: influence ?? 0,
      totalInfluencePoints: Number(balance.influence),
      currentNovaBalance: toNova(balance.nova),
      totalEarnedNova: toNova(balance.earned),
      karmaTokenProgress: karmaProgress(totals.completed, balance.karma),
      perpetualBenefits,
      rewardsReleased: isReleased(state, side) ? toNova(earned) : 0,
      completed: state.status === 'completed',
    };
  }
}

/** The host's half of what was paid, in minor units. */
function hostShare(state: ChatState): bigint {
  const paid = isSuccessful(state) ? state.price : (state.terminated?.due ?? 0n);
  const [share = 0n] = splitByWeights(paid, CHAT_SPLIT);
  return share;
}

/** What a broken-off chat pays is the host's at once; a success is released by one's own rating, or when rating closes. */
const isReleased = ({ status, ratings }: ChatState, side: ChatSide): boolean =>
  status !== 'successful' || ratings[side] !== undefined;

/** A member's progress towards the next Karma (rule chats-27). */
export function karmaProgress(completedChats: number, karma: bigint): KarmaTokenProgressDto {
  const current = completedChats % CHATS_PER_KARMA;
  return {
    hasKarmaToken: karma > 0n,
    current,
    required: CHATS_PER_KARMA,
    percentage: (current / CHATS_PER_KARMA) * 100,
  };
}
