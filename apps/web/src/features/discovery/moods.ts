import type { ProfileCard } from './card-types';

export interface Mood {
  meaning: string;
  /** The class of the mood's dot. */
  dot: string;
}

export interface CardMood extends Mood {
  name: ProfileCard['mood'];
  /** The class of a card without a picture. */
  sky: string;
}

const DEFAULT: CardMood = {
  name: 'blue',
  meaning: 'Sadness / Calm',
  dot: 'bg-mood-blue',
  sky: 'from-mood-blue/55 to-mood-blue/5',
};

/** The moods and what each means (rule discovery-2). */
export const MOODS: readonly CardMood[] = [
  { name: 'red', meaning: 'Love / Passion', dot: 'bg-mood-red', sky: 'from-mood-red/55 to-mood-red/5' },
  { name: 'orange', meaning: 'Joy / Creativity', dot: 'bg-mood-orange', sky: 'from-mood-orange/55 to-mood-orange/5' },
  { name: 'yellow', meaning: 'Happy / Optimism', dot: 'bg-mood-yellow', sky: 'from-mood-yellow/45 to-mood-yellow/5' },
  { name: 'green', meaning: 'Peace', dot: 'bg-mood-green', sky: 'from-mood-green/50 to-mood-green/5' },
  DEFAULT,
  {
    name: 'indigo',
    meaning: 'Intuition / Mystery',
    dot: 'bg-mood-indigo',
    sky: 'from-mood-indigo/65 to-mood-indigo/5',
  },
  {
    name: 'violet',
    meaning: 'Spirituality / Inspiration',
    dot: 'bg-mood-violet',
    sky: 'from-mood-violet/55 to-mood-violet/5',
  },
];

/** The mood with this name; the default for an unknown name. */
export const moodOf = (name: string): CardMood => MOODS.find((mood) => mood.name === name) ?? DEFAULT;
