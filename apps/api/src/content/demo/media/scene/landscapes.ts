import { houses, orb, ridge, sky, stars } from '../landforms.js';
import type { MoodColors } from '../moods.js';
import type { SeededRandom } from '../seeded-random.js';
import { n } from '../svg.js';
import type { PaintScene } from './painted-scene.js';

const night = (random: SeededRandom, colors: MoodColors): string => sky(colors) + stars(random, colors, 130, 520);

/** Light on water, below the horizon. */
function glints(random: SeededRandom, x: number, y: number, { light }: MoodColors): string {
  const one = (index: number): string => {
    const half = random.between(14, 70) * (0.5 + index / 20);
    const left = x - half + random.between(-30, 30);
    return `<rect x="${n(left)}" y="${n(y + 12 + index * 11)}" width="${n(half * 2)}" height="${n(2.5 + index / 7)}" rx="2" opacity="${n(random.between(0.25, 0.75))}"/>`;
  };
  return `<g fill="${light}">${Array.from({ length: 18 }, (_, index) => one(index)).join('')}</g>`;
}

const water = (y: number, color: string, { light }: MoodColors): string =>
  `<rect x="-90" y="${y}" width="900" height="${760 - y}" fill="${color}"/><rect x="-90" y="${y}" width="900" height="3" fill="${light}" opacity="0.6"/>`;

/** A peak with a sunlit side and snow. */
function peak(x: number, top: number, half: number, { far, light, near }: MoodColors): string {
  const base = 640;
  const snow = `M${n(x)},${n(top)} L${n(x + half * 0.28)},${n(top + (base - top) * 0.28)} l${n(-half * 0.1)},12 l${n(-half * 0.08)},-16 l${n(-half * 0.1)},26 l${n(-half * 0.1)},-22 l${n(-half * 0.1)},14 L${n(x - half * 0.26)},${n(top + (base - top) * 0.26)}Z`;
  return (
    `<path d="M${n(x - half)},${base} L${n(x)},${n(top)} L${n(x + half)},${base}Z" fill="${far}"/>` +
    `<path d="M${n(x)},${n(top)} L${n(x + half)},${base} L${n(x + half * 0.12)},${base} L${n(x - half * 0.06)},${n(top + (base - top) * 0.5)}Z" fill="${near}" opacity="0.55"/>` +
    `<path d="${snow}" fill="${light}" opacity="0.92"/>`
  );
}

function firs(random: SeededRandom, base: number, color: string, count = 30): string {
  const fir = (): string => {
    const [x, height] = [random.between(-90, 810), random.between(60, 150)];
    const half = height * 0.24;
    return `<path d="M${n(x)},${n(base - height)} l${n(half * 0.6)},${n(height * 0.4)} h${n(-half * 0.25)} l${n(half * 0.65)},${n(height * 0.6)} h${n(-half * 2)} l${n(half * 0.65)},${n(-height * 0.6)} h${n(-half * 0.25)}Z"/>`;
  };
  return `<g fill="${color}">${Array.from({ length: count }, fir).join('')}</g>`;
}

function mast(x: number, y: number, size: number, color: string): string {
  return (
    `<g transform="translate(${n(x)},${n(y)}) scale(${n(size)})"><path d="M-64,0 Q0,34 70,0 L52,30 Q0,46 -46,30Z" fill="${color}"/>` +
    `<path d="M0,4 L0,-150" stroke="${color}" stroke-width="5"/><path d="M6,-146 L66,-16 L6,-16Z" fill="${color}" opacity="0.9"/><path d="M-6,-120 L-50,-18 L-6,-18Z" fill="${color}" opacity="0.75"/></g>`
  );
}

const veils = (random: SeededRandom, colors: readonly string[]): string => {
  const veil = (color: string, index: number): string => {
    const y = 130 + index * 58 + random.between(-16, 16);
    const path = `M-320,${n(y + 60)} C0,${n(y - random.between(120, 210))} 240,${n(y + random.between(60, 150))} 470,${n(y - 50)} S860,${n(y + 50)} 1040,${n(y - 110)}`;
    return (
      `<path d="${path}" fill="none" stroke="${color}" stroke-width="78" opacity="0.3" filter="url(#veil)"/>` +
      `<path d="${path}" fill="none" stroke="${color}" stroke-width="16" opacity="0.65" filter="url(#veil)"/>`
    );
  };
  return `<filter id="veil" x="-20%" y="-80%" width="140%" height="260%"><feGaussianBlur stdDeviation="15"/></filter>${colors.map(veil).join('')}`;
};

export const mountains: PaintScene = (random, colors) => ({
  back:
    night(random, colors) +
    orb(random.between(460, 600), 190, 62, colors) +
    peak(140, random.between(230, 270), 290, colors) +
    peak(600, random.between(260, 310), 280, colors) +
    peak(370, random.between(170, 220), 300, colors),
  front: ridge(random, 640, 60, colors.near) + firs(random, 716, colors.skyTop),
});

export const meadow: PaintScene = (random, colors) => {
  const flower = (): string => {
    const [x, y, size] = [random.between(-80, 800), random.between(560, 712), random.between(5, 13)];
    const color = random.pick([colors.light, colors.glow, '#fff4e0', '#ff9d7a']);
    return `<path d="M${n(x)},${n(y)} v${n(size * 4)}" stroke="${colors.near}" stroke-width="2"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(size)}" fill="${color}"/><circle cx="${n(x)}" cy="${n(y)}" r="${n(size * 0.4)}" fill="#7a4a1c"/>`;
  };
  return {
    back:
      sky(colors) +
      orb(random.between(200, 520), 300, 96, colors) +
      ridge(random, 470, 110, colors.far, 0.6) +
      ridge(random, 530, 70, colors.far),
    front: ridge(random, 590, 50, colors.near) + Array.from({ length: 64 }, flower).join(''),
  };
};

export const dunes: PaintScene = (random, colors) => ({
  back: night(random, colors) + orb(random.between(420, 560), 250, 70, colors),
  front:
    `<path d="M-90,470 C60,380 230,400 400,470 S700,470 810,400 L810,760 L-90,760Z" fill="${colors.far}"/>` +
    `<path d="M-90,470 C60,380 230,400 400,470 C250,450 120,470 -90,600Z" fill="${colors.light}" opacity="0.22"/>` +
    `<path d="M-90,600 C130,520 300,640 480,560 S740,520 810,560 L810,760 L-90,760Z" fill="${colors.near}"/>` +
    `<path d="M480,560 C600,520 740,520 810,560 L810,640 C700,560 600,570 480,560Z" fill="${colors.glow}" opacity="0.24"/>` +
    `<path d="M330,760 C340,690 390,640 372,590 C360,560 384,540 410,528" fill="none" stroke="${colors.light}" stroke-width="7" opacity="0.35" stroke-dasharray="3 12"/>`,
});

export const lake: PaintScene = (random, colors) => {
  const x = random.between(230, 500);
  return {
    back:
      night(random, colors) +
      orb(x, 200, 64, colors) +
      peak(120, 250, 260, colors) +
      peak(590, 220, 290, colors) +
      ridge(random, 480, 60, colors.near) +
      firs(random, 492, colors.near, 40),
    front: water(486, colors.skyMiddle, colors) + glints(random, x, 490, colors),
  };
};

export const nightSky: PaintScene = (random, colors) => {
  const dots = Array.from({ length: 420 }, () => {
    const along = random.between(-90, 810);
    const [x, y] = [along, 620 - along * 0.66 + (random.next() + random.next() + random.next() - 1.5) * 190];
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(random.next() ** 2 * 1.9 + 0.5)}" opacity="${n(random.between(0.3, 1))}"/>`;
  });
  const milk = `<ellipse cx="360" cy="380" rx="560" ry="120" transform="rotate(-33 360 380)" fill="url(#halo)"/><ellipse cx="330" cy="400" rx="380" ry="56" transform="rotate(-33 330 400)" fill="url(#halo)"/>`;
  const dome = `<path d="M470,690 a70,70 0 0 1 140,0Z" fill="${colors.near}"/><path d="M528,628 l34,-30 l14,16 l-34,34Z" fill="${colors.light}" opacity="0.8"/><rect x="462" y="686" width="156" height="60" fill="${colors.near}"/>`;
  return {
    back: `${night(random, colors)}${milk}<g fill="${colors.light}">${dots.join('')}</g>`,
    front: ridge(random, 690, 40, colors.skyTop) + dome,
  };
};

export const aurora: PaintScene = (random, colors) => ({
  back: night(random, colors) + veils(random, [colors.glow, '#86ffc9', colors.glow, '#7fd8ff']),
  front:
    ridge(random, 640, 90, colors.far) + ridge(random, 690, 50, colors.near) + firs(random, 722, colors.skyTop, 36),
});

export const openSea: PaintScene = (random, colors) => {
  const x = random.between(240, 480);
  const waves = Array.from({ length: 5 }, (_, index) => {
    const y = 520 + index * 48;
    const color = index % 2 === 0 ? colors.far : colors.near;
    return `<path d="M-90,${y} q45,-22 90,0 t90,0 t90,0 t90,0 t90,0 t90,0 t90,0 t90,0 t90,0 t90,0 V760 H-90Z" transform="translate(${n(random.between(-40, 0))},0)" fill="${color}" opacity="0.8"/>`;
  });
  return {
    back:
      night(random, colors) +
      orb(x, 410, 104, colors) +
      water(470, colors.skyMiddle, colors) +
      glints(random, x, 470, colors),
    front: waves.join('') + mast(random.between(470, 580), 520, 0.8, colors.skyTop),
  };
};

export const harbour: PaintScene = (random, colors) => {
  const x = random.between(250, 470);
  const boats = [120, 300, 520, 650].map((left) =>
    mast(
      left + random.between(-24, 24),
      560 + random.between(0, 70),
      random.between(0.8, 1.3),
      random.pick([colors.skyTop, colors.near]),
    ),
  );
  return {
    back:
      sky(colors) +
      stars(random, colors, 50, 260) +
      orb(x, 380, 88, colors) +
      ridge(random, 450, 80, colors.far, 0.8) +
      water(450, colors.skyMiddle, colors) +
      glints(random, x, 452, colors),
    front: `${boats.join('')}<rect x="-90" y="676" width="900" height="80" fill="${colors.skyTop}"/><g fill="${colors.near}"><rect x="60" y="640" width="16" height="50" rx="6"/><rect x="620" y="640" width="16" height="50" rx="6"/></g><path d="M68,654 Q340,720 628,654" fill="none" stroke="${colors.light}" stroke-width="5" opacity="0.5"/>`,
  };
};

export const skyline: PaintScene = (random, colors) => ({
  back: night(random, colors) + orb(random.between(180, 540), 190, 90, colors),
  front: `<g transform="translate(0,-110)">${houses(random, colors)}</g>`,
});

export const bridge: PaintScene = (random, colors) => {
  const tower = (x: number): string =>
    `<path d="M${x - 14},640 L${x - 10},230 h20 L${x + 14},640Z M${x - 12},330 h24 v10 h-24Z" fill="${colors.skyTop}"/>`;
  const cables = [170, 550].flatMap((x) =>
    Array.from({ length: 9 }, (_, index) => `<path d="M${x},240 L${x - 180 + index * 45},490"/>`),
  );
  return {
    back:
      sky(colors) +
      stars(random, colors, 60, 300) +
      orb(360, 400, 96, colors) +
      ridge(random, 500, 100, colors.far, 0.8),
    front:
      water(560, colors.near, colors) +
      glints(random, 360, 566, colors) +
      `<g stroke="${colors.light}" stroke-width="2.5" opacity="0.7">${cables.join('')}</g>${tower(170)}${tower(550)}` +
      `<rect x="-90" y="486" width="900" height="20" fill="${colors.skyTop}"/><rect x="-90" y="486" width="900" height="4" fill="${colors.glow}" opacity="0.7"/>`,
  };
};

export const underwater: PaintScene = (random, colors) => {
  const rays = Array.from({ length: 7 }, (_, index) => {
    const x = 40 + index * 100 + random.between(-30, 30);
    return `<path d="M${n(x)},-40 L${n(x + 50)},-40 L${n(x + random.between(-40, 160))},640 L${n(x - random.between(60, 160))},640Z" opacity="${n(random.between(0.1, 0.3))}"/>`;
  });
  const kelp = Array.from({ length: 13 }, (_, index) => {
    const [x, top, sway] = [
      -60 + index * 66 + random.between(-20, 20),
      random.between(120, 420),
      random.between(-50, 50),
    ];
    const leaves = Array.from({ length: 9 }, (__, leaf) => {
      const share = leaf / 9;
      const [lx, ly] = [x + sway * Math.sin(share * 3), 740 - (740 - top) * share];
      const side = leaf % 2 === 0 ? 1 : -1;
      return `<path d="M${n(lx)},${n(ly)} q${n(side * 40)},${n(-34)} ${n(side * 66)},${n(-20)} q${n(side * -30)},${n(30)} ${n(side * -66)},${n(20)}Z"/>`;
    });
    const color = index % 3 === 0 ? colors.far : colors.near;
    return `<g fill="${color}"><path d="M${n(x)},760 C${n(x + sway)},${n(600)} ${n(x - sway)},${n(top + 200)} ${n(x + sway * 0.3)},${n(top)}" fill="none" stroke="${color}" stroke-width="9"/>${leaves.join('')}</g>`;
  });
  const fish = (): string => {
    const [x, y, size] = [random.between(60, 660), random.between(130, 460), random.between(0.5, 1.1)];
    return `<g transform="translate(${n(x)},${n(y)}) scale(${n(size)})"><path d="M-36,0 Q0,-26 36,0 Q0,26 -36,0Z M30,0 L56,-18 L50,0 L56,18Z"/></g>`;
  };
  return {
    back:
      `<g transform="translate(0,720) scale(1,-1)">${sky(colors)}</g><g fill="${colors.light}">${rays.join('')}</g>` +
      `<g fill="${colors.light}" opacity="0.75">${Array.from({ length: 9 }, fish).join('')}</g>`,
    front: kelp.join('') + ridge(random, 720, 40, colors.skyTop),
  };
};
