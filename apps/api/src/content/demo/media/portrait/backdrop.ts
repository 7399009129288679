import type { Mood } from '@app/domain';
import { MOOD_COLORS, type MoodColors } from '../moods.js';
import { SeededRandom } from '../seeded-random.js';
import { houses, orb, ridge, sky, stars } from '../landforms.js';
import { n } from '../svg.js';

export type BackdropKind = 'aurora' | 'city' | 'constellation' | 'hills' | 'moon' | 'sea';

/** The sky behind a portrait, which is 720 × 960. */
export function drawBackdrop(kind: BackdropKind, mood: Mood, seed: string): string {
  const colors = MOOD_COLORS[mood];
  const random = new SeededRandom(`${seed} sky`);
  return sky(colors) + stars(random, colors) + KINDS[kind](random, colors);
}

const KINDS: Readonly<Record<BackdropKind, (random: SeededRandom, colors: MoodColors) => string>> = {
  moon: (random, colors) => {
    const [x, y, r] = [random.pick([500, 530, 190, 220]), random.between(240, 300), random.between(150, 180)];
    const craters = [
      [-0.4, -0.3, 0.2],
      [0.3, 0.1, 0.26],
      [-0.1, 0.5, 0.16],
      [0.5, -0.5, 0.12],
    ].map(([dx = 0, dy = 0, size = 0]) => `<circle cx="${n(x + dx * r)}" cy="${n(y + dy * r)}" r="${n(size * r)}"/>`);
    return `${orb(x, y, r, colors)}<g fill="${colors.glow}" opacity="0.22">${craters.join('')}</g>${ridge(random, 800, 90, colors.far, 0.8)}`;
  },
  hills: (random, colors) =>
    orb(random.pick([130, 600]), 330, 110, colors) +
    ridge(random, 640, 150, colors.far, 0.55) +
    ridge(random, 720, 130, colors.far) +
    ridge(random, 820, 110, colors.near),
  sea: (random, colors) => {
    const x = random.pick([150, 575]);
    const glints = Array.from({ length: 34 }, (_, index) => {
      const half = random.between(20, 90) * (0.4 + index / 34);
      return `<rect x="${n(x - half + random.between(-40, 40))}" y="${n(596 + index * 11)}" width="${n(half * 2)}" height="${n(2 + index / 9)}" rx="2" opacity="${n(random.between(0.2, 0.7))}"/>`;
    });
    return (
      `${orb(x, 490, 120, colors)}<rect x="-90" y="580" width="900" height="440" fill="${colors.far}"/>` +
      `<rect x="-90" y="580" width="900" height="3" fill="${colors.light}" opacity="0.6"/><g fill="${colors.light}">${glints.join('')}</g>`
    );
  },
  city: (random, colors) => `${orb(random.pick([130, 590]), 220, 92, colors)}${houses(random, colors)}`,
  aurora: (random, colors) => {
    const veil = (color: string, base: number): string => {
      const bands = Array.from({ length: 5 }, (_, index) => base + index * 46 + random.between(-14, 14));
      return bands
        .map(
          (y, index) =>
            `<path d="M-320,${n(y + 40)} C20,${n(y - random.between(80, 200))} 300,${n(y + random.between(40, 150))} 480,${n(y - 60)} S860,${n(y + 60)} 1040,${n(y - 90)}" fill="none" stroke="${color}" stroke-width="${54 - index * 8}" opacity="${n(0.16 + index * 0.05)}" filter="url(#veil)"/>`,
        )
        .join('');
    };
    return `<filter id="veil" x="-20%" y="-60%" width="140%" height="220%"><feGaussianBlur stdDeviation="16"/></filter>${veil(colors.glow, 120)}${veil('#8affc8', 200)}${ridge(random, 780, 150, colors.far)}${ridge(random, 850, 110, colors.near)}`;
  },
  constellation: (random, colors) => {
    const points = Array.from({ length: 9 }, (_, index) => ({
      x: 20 + index * 84 + random.between(-24, 24),
      y: 150 + Math.sin(index * 1.4) * 90 + random.between(-40, 40),
      r: random.between(4, 8),
    }));
    const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${n(x)},${n(y)}`).join(' ');
    const dots = points.map(
      ({ x, y, r }) =>
        `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * 3.4)}" fill="url(#halo)"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${colors.light}"/>`,
    );
    return `<circle cx="360" cy="420" r="430" fill="url(#halo)" opacity="0.7"/><path d="${line}" fill="none" stroke="${colors.light}" stroke-width="2" opacity="0.55"/>${dots.join('')}${ridge(random, 820, 90, colors.far, 0.7)}`;
  },
};
