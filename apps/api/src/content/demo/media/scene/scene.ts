import type { Mood } from '@app/domain';
import { MOOD_COLORS } from '../moods.js';
import { SeededRandom } from '../seeded-random.js';
import { svgDocument } from '../svg.js';
import * as land from './landscapes.js';
import type { PaintedScene, PaintScene } from './painted-scene.js';
import * as still from './still-lifes.js';
import * as windows from './windows.js';

const SCENES = {
  aurora: land.aurora,
  boat: still.boat,
  books: still.books,
  bread: still.bread,
  bridge: land.bridge,
  cello: still.cello,
  chess: still.chess,
  clockwork: still.clockwork,
  dunes: land.dunes,
  harbour: land.harbour,
  lake: land.lake,
  lanterns: still.lanterns,
  letters: still.letters,
  mangoes: still.mangoes,
  meadow: land.meadow,
  mountains: land.mountains,
  'night-sky': land.nightSky,
  'night-train': windows.nightTrain,
  'open-sea': land.openSea,
  orchid: still.orchid,
  'rain-window': windows.rainWindow,
  ramen: still.ramen,
  record: still.record,
  skyline: land.skyline,
  teacups: still.teacups,
  tiles: still.tiles,
  underwater: land.underwater,
} satisfies Record<string, PaintScene>;

export type SceneKind = keyof typeof SCENES;

/** What a post shows; the seed decides what the kind and the mood leave open. */
export interface Painting {
  readonly kind: SceneKind;
  readonly mood: Mood;
  readonly seed: string;
}

export const paintScene = ({ kind, mood, seed }: Painting): PaintedScene =>
  SCENES[kind](new SeededRandom(`${seed} ${kind}`), MOOD_COLORS[mood]);

const SQUARE = { x: 0, y: 0, width: 720, height: 720 };

export function drawScene(painting: Painting, width: number): string {
  const { back, front } = paintScene(painting);
  return svgDocument(SQUARE, width, back + front);
}
