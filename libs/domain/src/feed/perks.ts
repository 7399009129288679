import { utcDay } from '../day.js';
import { type EngagementLevel, PERK_MS } from './constants.js';
import type { PerkEvent } from './events.js';

/** The perks of the day that a member has used, from the events of `perks-{id}`. */
export interface Perks {
  /** UTC days of the last use; null for never. */
  readonly boostedOn: string | null;
  readonly prioritizedOn: string | null;
}

export const newPerks: Perks = { boostedOn: null, prioritizedOn: null };

export type PerkCommand =
  | { readonly type: 'BoostPost'; readonly memberId: string; readonly postId: string; readonly level: EngagementLevel }
  | { readonly type: 'TakePriority'; readonly memberId: string; readonly level: EngagementLevel };

export type PerkDecision =
  | { readonly events: readonly PerkEvent[] }
  | {
      readonly rejection: { readonly code: 'NO_BOOST_TOKEN' | 'NO_PRIORITY_SLOT'; readonly message: string };
    };

/** Level 2 has one boost token a day, level 3 one priority slot as well (rule feed-11). */
export function decidePerk(state: Perks, command: PerkCommand, nowMs: number): PerkDecision {
  const { memberId, level } = command;
  const [today, until] = [utcDay(nowMs), nowMs + PERK_MS];
  if (command.type === 'BoostPost') {
    if (level >= 2 && state.boostedOn !== today) {
      return { events: [{ type: 'PostBoosted', memberId, postId: command.postId, until, at: nowMs }] };
    }
    const message =
      level < 2
        ? 'Boost tokens come with level 2: a streak of 3 days.'
        : 'Today’s boost token is used. A new one comes tomorrow.';
    return { rejection: { code: 'NO_BOOST_TOKEN', message } };
  }
  if (level >= 3 && state.prioritizedOn !== today) {
    return { events: [{ type: 'PriorityTaken', memberId, until, at: nowMs }] };
  }
  const message =
    level < 3
      ? 'Priority slots come with level 3: a streak of 7 days.'
      : 'Today’s priority slot is used. A new one comes tomorrow.';
  return { rejection: { code: 'NO_PRIORITY_SLOT', message } };
}

export function evolvePerks(state: Perks, event: PerkEvent): Perks {
  const day = utcDay(event.at);
  return event.type === 'PostBoosted' ? { ...state, boostedOn: day } : { ...state, prioritizedOn: day };
}
