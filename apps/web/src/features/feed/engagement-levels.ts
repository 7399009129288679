import { Crown, Rocket, Sparkles, type LucideIcon } from 'lucide-react';
import type { StatusBar } from './feed-types';

export interface LevelLook {
  icon: LucideIcon;
  /** Text and border of its mark. */
  tone: string;
  reward: string;
  /** How the next one is reached. */
  next: string | null;
}

/** What each level looks like (rules feed-10, feed-11). */
export const LEVELS: Readonly<Record<StatusBar['currentLevel'], LevelLook>> = {
  1: {
    icon: Sparkles,
    tone: 'border-line-strong bg-sky-700 text-ink',
    reward: '+5% on every day’s points',
    next: 'Level 2: a 3-day streak',
  },
  2: {
    icon: Rocket,
    tone: 'border-gain/40 bg-gain/12 text-gain',
    reward: 'A boost token every day',
    next: 'Level 3: a 7-day streak',
  },
  3: {
    icon: Crown,
    tone: 'border-nova/40 bg-nova/15 text-nova',
    reward: 'Priority placement every day',
    next: null,
  },
};
