import type { MoodColors } from '../moods.js';
import type { SeededRandom } from '../seeded-random.js';

/** A scene of 720 × 720 in two planes, which move against each other in a clip. Both reach 90 beyond its sides. */
export interface PaintedScene {
  readonly back: string;
  readonly front: string;
}

export type PaintScene = (random: SeededRandom, colors: MoodColors) => PaintedScene;
