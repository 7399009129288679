import type { Mood } from '@app/domain';
import { MOOD_COLORS, type MoodColors } from '../moods.js';
import { SeededRandom } from '../seeded-random.js';
import { linearGradient, n, radialGradient } from '../svg.js';

export type BackdropKind = 'aurora' | 'city' | 'constellation' | 'hills' | 'moon' | 'sea';

/** The sky behind a portrait. It is drawn wider than it is shown (720 × 960), so that it can drift. */
export const BACKDROP = { x: -90, y: -40, width: 900, height: 1040 } as const;

export function drawBackdrop(kind: BackdropKind, mood: Mood, seed: string): string {
  const colors = MOOD_COLORS[mood];
  const random = new SeededRandom(`${seed} sky`);
  const sky = linearGradient('sky', [
    { at: 0, color: colors.skyTop },
    { at: 0.52, color: colors.skyMiddle },
    { at: 0.95, color: colors.skyLow },
  ]);
  const halo = radialGradient('halo', [
    { at: 0, color: colors.glow, opacity: 0.75 },
    { at: 0.5, color: colors.glow, opacity: 0.26 },
    { at: 1, color: colors.glow, opacity: 0 },
  ]);
  return (
    `<defs>${sky}${halo}</defs><rect x="${BACKDROP.x}" y="${BACKDROP.y}" width="${BACKDROP.width}" height="${BACKDROP.height}" fill="url(#sky)"/>` +
    stars(random, colors) +
    KINDS[kind](random, colors)
  );
}

export function stars(random: SeededRandom, { light }: MoodColors, count = 120, height = 640): string {
  const star = (): string => {
    const size = random.next() ** 3 * 2.8 + 0.7;
    const [x, y] = [
      random.between(BACKDROP.x, BACKDROP.x + BACKDROP.width),
      random.next() ** 1.3 * height + BACKDROP.y,
    ];
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(size)}" opacity="${n(random.between(0.3, 1))}"/>`;
  };
  return `<g fill="${light}">${Array.from({ length: count }, star).join('')}</g>`;
}

const orb = (x: number, y: number, r: number, { light }: MoodColors): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * 2.4)}" fill="url(#halo)"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${light}"/>`;

/** A soft line of hills from edge to edge. */
export function ridge(random: SeededRandom, base: number, height: number, color: string, opacity = 1): string {
  const step = 75;
  let path = `M${BACKDROP.x},1000 L${BACKDROP.x},${n(base)}`;
  for (let x: number = BACKDROP.x; x < BACKDROP.x + BACKDROP.width; x += step) {
    const [peak, end] = [base - random.between(0.2, 1) * height, base - random.between(0, 0.5) * height];
    path += ` Q${n(x + step / 2)},${n(peak)} ${n(x + step)},${n(end)}`;
  }
  return `<path d="${path} L810,1000Z" fill="${color}" opacity="${opacity}"/>`;
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
    orb(random.between(150, 570), 420, 120, colors) +
    ridge(random, 640, 150, colors.far, 0.55) +
    ridge(random, 720, 130, colors.far) +
    ridge(random, 820, 110, colors.near),
  sea: (random, colors) => {
    const x = random.between(180, 540);
    const glints = Array.from({ length: 34 }, (_, index) => {
      const half = random.between(20, 90) * (0.4 + index / 34);
      return `<rect x="${n(x - half + random.between(-40, 40))}" y="${n(596 + index * 11)}" width="${n(half * 2)}" height="${n(2 + index / 9)}" rx="2" opacity="${n(random.between(0.2, 0.7))}"/>`;
    });
    return (
      `${orb(x, 500, 130, colors)}<rect x="-90" y="580" width="900" height="440" fill="${colors.far}"/>` +
      `<rect x="-90" y="580" width="900" height="3" fill="${colors.light}" opacity="0.6"/><g fill="${colors.light}">${glints.join('')}</g>`
    );
  },
  city: (random, colors) => `${orb(random.between(170, 560), 260, 110, colors)}${houses(random, colors)}`,
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

function houses(random: SeededRandom, { far, near, light }: MoodColors): string {
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
