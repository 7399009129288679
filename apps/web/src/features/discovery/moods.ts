export interface Mood {
  meaning: string;
  /** The class of its dot. */
  dot: string;
}

const DEFAULT: Mood = { meaning: 'Sadness / Calm', dot: 'bg-mood-blue' };

/** What each mood stands for (S0 §3). */
const MOODS = new Map<string, Mood>([
  ['red', { meaning: 'Love / Passion', dot: 'bg-mood-red' }],
  ['orange', { meaning: 'Joy / Creativity', dot: 'bg-mood-orange' }],
  ['yellow', { meaning: 'Happy / Optimism', dot: 'bg-mood-yellow' }],
  ['green', { meaning: 'Peace', dot: 'bg-mood-green' }],
  ['blue', DEFAULT],
  ['indigo', { meaning: 'Intuition / Mystery', dot: 'bg-mood-indigo' }],
  ['violet', { meaning: 'Spirituality / Inspiration', dot: 'bg-mood-violet' }],
]);

/** A mood by its name; the default for one that is not known here. */
export const moodOf = (name: string): Mood => MOODS.get(name) ?? DEFAULT;
