import { useState } from 'react';
import type { QuestEntry, QuestState } from './quest-entries';

/** The state that each quest was in when this page first showed my progress with it. */
export function useFirstStates(entries: readonly QuestEntry[]): ReadonlyMap<string, QuestState> {
  const [seen, setSeen] = useState<ReadonlyMap<string, QuestState>>(new Map());
  const fresh = entries.filter(({ quest, progress }) => progress !== undefined && !seen.has(quest.id));
  if (fresh.length === 0) return seen;
  const next = new Map([...seen, ...fresh.map(({ quest, state }) => [quest.id, state] as const)]);
  setSeen(next);
  return next;
}
