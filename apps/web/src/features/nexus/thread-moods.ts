import { moodOf, type Mood } from '@/features/discovery/moods';

export interface NodeMood extends Mood {
  /** The custom property of its colour, for painting. */
  token: string;
}

/** The Nexus accepts it beside the seven moods (rule nexus-6). */
const NEUTRAL: Mood = { meaning: 'Neutral', dot: 'bg-ink-faint' };

/** A mood as a node of the Nexus shows it. The class of a dot, `bg-x`, stands for the token `--color-x`. */
export function nodeMood(name: string): NodeMood {
  const mood = name === 'neutral' ? NEUTRAL : moodOf(name);
  return { ...mood, token: mood.dot.replace(/^bg-/, '--color-') };
}
