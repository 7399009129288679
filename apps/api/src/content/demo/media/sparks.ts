import type { MoodColors } from './moods.js';
import { SeededRandom } from './seeded-random.js';
import { n, radialGradient, svgDocument } from './svg.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Specks of light that can rise for ever: twice the height, the lower half like the upper one. */
export function drawSparks(seed: string, { glow, light }: MoodColors, { width, height }: Size): string {
  const random = new SeededRandom(`${seed} sparks`);
  const halo = radialGradient('spark', [
    { at: 0, color: light, opacity: 0.9 },
    { at: 0.3, color: glow, opacity: 0.5 },
    { at: 1, color: glow, opacity: 0 },
  ]);
  const half = Array.from({ length: 22 }, () => {
    const [x, y, r] = [random.between(0, width), random.between(0, height), random.between(3, 11)];
    const one = (top: number): string =>
      `<circle cx="${n(x)}" cy="${n(top)}" r="${n(r)}" opacity="${n(random.between(0.4, 0.9))}"/>`;
    // One that is cut at the upper edge comes back at the lower one.
    return one(y) + one(y + height) + (y < 11 ? one(y + height * 2) : '');
  });
  const frame = { x: 0, y: 0, width, height: height * 2 };
  return svgDocument(frame, width, `<defs>${halo}</defs><g fill="url(#spark)">${half.join('')}</g>`);
}
