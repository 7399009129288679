import type { MoodColors } from './moods.js';
import type { SeededRandom } from './seeded-random.js';
import { linearGradient, n, radialGradient } from './svg.js';

/** What is drawn: more than is shown, so that it can drift. */
export const AREA = { x: -90, y: -40, width: 900, height: 1040 } as const;

/** The sky of a mood, and the gradient `halo` for what glows in it. */
export function sky(colors: MoodColors): string {
  const gradient = linearGradient('sky', [
    { at: 0, color: colors.skyTop },
    { at: 0.52, color: colors.skyMiddle },
    { at: 0.95, color: colors.skyLow },
  ]);
  const halo = radialGradient('halo', [
    { at: 0, color: colors.glow, opacity: 0.75 },
    { at: 0.5, color: colors.glow, opacity: 0.26 },
    { at: 1, color: colors.glow, opacity: 0 },
  ]);
  return `<defs>${gradient}${halo}</defs><rect x="${AREA.x}" y="${AREA.y}" width="${AREA.width}" height="${AREA.height}" fill="url(#sky)"/>`;
}

export function stars(random: SeededRandom, { light }: MoodColors, count = 120, height = 640): string {
  const star = (): string => {
    const size = random.next() ** 3 * 2.8 + 0.7;
    const [x, y] = [random.between(AREA.x, AREA.x + AREA.width), random.next() ** 1.3 * height + AREA.y];
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(size)}" opacity="${n(random.between(0.3, 1))}"/>`;
  };
  return `<g fill="${light}">${Array.from({ length: count }, star).join('')}</g>`;
}

export const orb = (x: number, y: number, r: number, { light }: MoodColors): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * 2.4)}" fill="url(#halo)"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${light}"/>`;

/** A soft line of hills from edge to edge. */
export function ridge(random: SeededRandom, base: number, height: number, color: string, opacity = 1): string {
  const step = 75;
  let path = `M${AREA.x},1000 L${AREA.x},${n(base)}`;
  for (let x: number = AREA.x; x < AREA.x + AREA.width; x += step) {
    const [peak, end] = [base - random.between(0.2, 1) * height, base - random.between(0, 0.5) * height];
    path += ` Q${n(x + step / 2)},${n(peak)} ${n(x + step)},${n(end)}`;
  }
  return `<path d="${path} L810,1000Z" fill="${color}" opacity="${opacity}"/>`;
}

/** Two rows of houses, some of their windows lit. */
export function houses(random: SeededRandom, { far, near, light }: MoodColors): string {
  const row = (base: number, color: string, lit: number): string => {
    let drawn = '';
    for (let x = -90; x < 810;) {
      const [width, top] = [random.between(60, 120), base - random.between(60, 260)];
      drawn += `<rect x="${n(x)}" y="${n(top)}" width="${n(width)}" height="${n(1000 - top)}" fill="${color}"/>`;
      for (let wy = top + 18; wy < 900; wy += 30) {
        for (let wx = x + 12; wx < x + width - 16; wx += 24) {
          if (random.next() < lit)
            drawn += `<rect x="${n(wx)}" y="${n(wy)}" width="10" height="14" rx="2" fill="${light}" opacity="${n(random.between(0.3, 0.9))}"/>`;
        }
      }
      x += width + random.between(0, 14);
    }
    return drawn;
  };
  return row(640, far, 0.16) + row(800, near, 0.34);
}
