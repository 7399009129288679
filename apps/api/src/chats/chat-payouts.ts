import { Injectable } from '@nestjs/common';
import { CHAT_SPLIT, CHATS_PER_KARMA, type ChatSide, type ChatState, splitByWeights } from '@app/domain';
import { BalanceQueries } from '@app/projections';
import { toNova } from '../wallet/nova-amount.js';
import { sideOf } from './chat-access.js';
import { isSuccessful } from './chat-messages.js';
import { ChatReadModels } from './chat-read-models.js';
import type { PresentChat } from './chat-store.js';
import type { KarmaTokenProgressDto, PayoutSummaryDto } from './chats.dto.js';
import { PerpetualBenefits } from './perpetual-benefits.js';

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
