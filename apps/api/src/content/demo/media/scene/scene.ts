import type { Mood } from '@app/domain';
import { MOOD_COLORS } from '../moods.js';
import { drawBackdrop } from '../portrait/backdrop.js';
import { svgDocument } from '../svg.js';

export type SceneKind =
  | 'aurora'
  | 'boat'
  | 'books'
  | 'bread'
  | 'bridge'
  | 'cello'
  | 'chess'
  | 'clockwork'
  | 'dunes'
  | 'harbour'
  | 'lake'
  | 'lanterns'
  | 'letters'
  | 'mangoes'
  | 'meadow'
  | 'mountains'
  | 'night-sky'
  | 'night-train'
  | 'open-sea'
  | 'orchid'
  | 'rain-window'
  | 'ramen'
  | 'record'
  | 'skyline'
  | 'teacups'
  | 'tiles'
  | 'underwater';

export interface Painting {
  readonly kind: SceneKind;
  readonly mood: Mood;
  readonly seed: string;
}

export const drawScene = ({ mood, seed }: Painting, width: number): string =>
  svgDocument(
    { x: 0, y: 0, width: 720, height: 720 },
    width,
    drawBackdrop('hills', mood, seed) + MOOD_COLORS[mood].near.slice(99),
  );
