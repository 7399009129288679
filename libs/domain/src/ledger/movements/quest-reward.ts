import { carryNothing } from '../../finance/general-ledger/posting-rules.js';
import { novaText } from '../../money/money.js';
import type { Fact } from '../events.js';
import { issue, issueRejection, refuse } from '../funds.js';
import type { LedgerState } from '../state.js';
import { COUNTS_NOWHERE, type Movement, type Ruling } from './movement.js';

export interface ClaimQuestReward {
  readonly type: 'ClaimQuestReward';
  readonly userId: string;
  readonly questId: string;
  readonly amount: bigint;
}

export interface QuestRewardClaimed extends Fact<'QuestRewardClaimed'> {
  readonly userId: string;
  readonly questId: string;
  readonly amount: bigint;
}

function claim(state: LedgerState, { userId, questId, amount }: ClaimQuestReward): Ruling {
  const rejection = issueRejection(state, userId, amount);
  if (rejection) return refuse(rejection);
  return [{ type: 'QuestRewardClaimed', userId, questId, amount, entries: issue(userId, amount) }];
}

/** The payment for a completed quest (rule quests-6). */
export const questReward: Movement<ClaimQuestReward, QuestRewardClaimed, 'quest_reward'> = {
  commands: { ClaimQuestReward: claim },
  events: {
    QuestRewardClaimed: {
      fields: { userId: 'text', questId: 'text', amount: 'minor' },
      effect: null,
      posts: carryNothing,
      cameFrom: ({ userId, questId, amount }) => ({ type: 'ClaimQuestReward', userId, questId, amount }),
      onceOnly: ({ questId, userId }) => `reward of quest ${questId} for ${userId}`,
      sentence: ({ userId, amount }, { member }) =>
        `${novaText(amount)} were claimed as a quest reward by ${member(userId)}`,
      statementRows: ({ questId }) => [{ type: 'quest_reward', subject: questId }],
      ...COUNTS_NOWHERE,
    },
  },
  rows: { quest_reward: { words: ({ ofQuest }) => `Quest reward${ofQuest}`, earnedFromOthers: false } },
};
