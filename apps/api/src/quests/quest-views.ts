import { leastCostOf, QUEST_CLAIM_MS, type QuestPhase, rewardWarning } from '@app/domain';
import { DELETED_MEMBER, type DirectoryMember } from '../identity/member-directory.js';
import { toNova } from '../wallet/nova-amount.js';
import { percentOf, toCount } from './quest-amounts.js';
import type { Progress } from './quest-progress.js';
import type { Quest } from './quests.js';
import type { AdminQuestDto, MemberQuestDto, QuestDto, QuestProgressDto, QuestStatus } from './quests.dto.js';

const STATUS: Readonly<Record<QuestPhase, QuestStatus>> = {
  scheduled: 'scheduled',
  active: 'active',
  ended: 'expired',
};

const iso = (ms: number): string => new Date(ms).toISOString();

/** Who made a quest, by name. */
export const creatorName = (member: DirectoryMember | undefined): string => member?.displayName ?? DELETED_MEMBER;

/** The fields that every view of a quest has. */
const questFields = (quest: Quest): Pick<QuestDto, keyof QuestDto> => ({
  id: quest.id,
  title: quest.title,
  description: quest.description,
  reward: toNova(quest.reward),
  startTime: iso(quest.startsAt),
  endTime: iso(quest.endsAt),
  isActive: quest.phase === 'active',
  status: STATUS[quest.phase],
  rules: { type: quest.rule, target: toCount(quest.rule, quest.target) },
});

export const toMemberQuest = (quest: Quest, { isCompleted, isClaimed }: Progress): MemberQuestDto => ({
  ...questFields(quest),
  isCompleted,
  rewardClaimed: isClaimed,
});

export const toProgress = (quest: Quest, { count, isCompleted, isClaimed }: Progress): QuestProgressDto => ({
  questId: quest.id,
  isCompleted,
  rewardClaimed: isClaimed,
  countersJSON: { [quest.rule]: toCount(quest.rule, count) },
  percent: percentOf(count, quest.target),
  claimableUntil: iso(quest.endsAt + QUEST_CLAIM_MS),
});

export const toAdminQuest = (quest: Quest, createdBy: string): AdminQuestDto => ({
  ...questFields(quest),
  createdAt: iso(quest.at),
  createdBy,
  underWay: quest.members - quest.completed,
  completed: quest.completed,
  claimed: quest.claimed,
  novaPaid: toNova(quest.reward * BigInt(quest.claimed)),
  leastCost: toNova(leastCostOf(quest)),
  warning: rewardWarning(quest) ?? null,
});
