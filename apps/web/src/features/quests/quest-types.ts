import type { Schemas } from '@/shared/api';

/** The shapes of `/api/quests`. Amounts are Nova, as are targets and counts where Nova is counted. */
export type Quest = Omit<Schemas['MemberQuestDto'], 'isCompleted' | 'rewardClaimed'>;
export type QuestProgress = Schemas['QuestProgressDto'];
