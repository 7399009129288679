import type { Point, SkySize } from './constellation';

export interface FaintStar extends Point {
  radius: number;
  brightness: number;
}

/** One faint star for so many square pixels. */
const AREA_PER_STAR = 2_200;
const SEED = 20_260_101;

/** A still background of faint stars: the same for the same size. */
export function starField({ width, height }: SkySize): FaintStar[] {
  const random = mulberry32(SEED);
  return Array.from({ length: Math.floor((width * height) / AREA_PER_STAR) }, () => ({
    x: random() * width,
    y: random() * height,
    radius: 0.4 + random() ** 3 * 1.1,
    brightness: 0.15 + random() ** 2 * 0.55,
  }));
}

/** A small seeded generator of numbers from 0 to below 1, by Tommy Ettinger. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
