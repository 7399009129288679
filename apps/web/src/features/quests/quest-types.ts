import type { Schemas } from '@/shared/api';

/** The shapes of `/api/quests`. Amounts in Nova; targets and counts too where Nova is counted. */
export type Quest = Omit<Schemas['MemberQuestDto'], 'isCompleted' | 'rewardClaimed'>;
export type QuestProgress = Schemas['QuestProgressDto'];
