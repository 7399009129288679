import type { Quest, QuestProgress } from './quest-types';

export type QuestState = 'in progress' | 'claimable' | 'claimed' | 'missed';

/** A quest with the member's progress. */
export interface QuestEntry {
  quest: Quest;
  state: QuestState;
  /** Undefined until the progress has loaded. */
  progress: { current: number; percent: number; claimableUntil: string } | undefined;
}

export function questEntries(quests: readonly Quest[], progress: readonly QuestProgress[] | undefined): QuestEntry[] {
  const found = new Map(progress?.map((entry) => [entry.questId, entry]));
  return quests.map((quest): QuestEntry => {
    const mine = found.get(quest.id);
    return {
      quest,
      state: stateOf(quest, mine),
      progress: progress && {
        current: mine?.countersJSON[quest.rules.type] ?? 0,
        percent: percentOf(quest, mine),
        claimableUntil: mine?.claimableUntil ?? quest.endTime,
      },
    };
  });
}

const PLACE: Readonly<Record<QuestState, number>> = { claimable: 0, 'in progress': 1, claimed: 2, missed: 3 };

/**
 * Quests that wait for the member come first, then those that end soonest. `seen` has the states in which quests were
 * first shown: a quest that changes while it is on the screen keeps its place, so that no button moves away from under
 * a finger.
 */
export const inPlaces = (entries: readonly QuestEntry[], seen: ReadonlyMap<string, QuestState>): QuestEntry[] =>
  entries.toSorted((a, b) => placeOf(a, seen) - placeOf(b, seen) || endOf(a) - endOf(b));

const placeOf = ({ quest, state }: QuestEntry, seen: ReadonlyMap<string, QuestState>): number =>
  PLACE[seen.get(quest.id) ?? state];

const endOf = ({ quest }: QuestEntry): number => Date.parse(quest.endTime);

function stateOf(quest: Quest, mine: QuestProgress | undefined): QuestState {
  if (mine?.rewardClaimed === true) return 'claimed';
  if (mine?.isCompleted === true) return 'claimable';
  return quest.status === 'expired' ? 'missed' : 'in progress';
}

/** The counter divided by the target, capped at 100; 100 only when the target is reached (rule quests-8). */
function percentOf(quest: Quest, mine: QuestProgress | undefined): number {
  if (mine?.isCompleted === true) return 100;
  const share = (mine?.countersJSON[quest.rules.type] ?? 0) / quest.rules.target;
  return share >= 1 ? 100 : Math.floor(share * 100);
}

/** The three summary cards (rule quests-9). */
export interface QuestSummary {
  completed: number;
  claimed: number;
  available: number;
}

export const questSummary = (quests: readonly Quest[], progress: readonly QuestProgress[]): QuestSummary => ({
  completed: progress.filter(({ isCompleted }) => isCompleted).length,
  claimed: progress.filter(({ rewardClaimed }) => rewardClaimed).length,
  available: quests.filter(({ isActive }) => isActive).length,
});
