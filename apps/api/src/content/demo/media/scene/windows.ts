import { houses, orb, ridge, sky, stars } from '../landforms.js';
import { n } from '../svg.js';
import type { PaintScene } from './painted-scene.js';

const FRAME = 'M-90,-40 H810 V760 H-90Z M70,60 V560 H344 V60Z M376,60 V560 H650 V60Z';

export const rainWindow: PaintScene = (random, colors) => {
  const drop = (): string => {
    const [x, y, r] = [random.between(70, 650), random.between(60, 550), random.between(2.5, 8)];
    const trail =
      random.next() < 0.3
        ? `<rect x="${n(x - r * 0.35)}" y="${n(y - random.between(40, 120))}" width="${n(r * 0.7)}" height="${n(random.between(40, 110))}" rx="2" opacity="0.35"/>`
        : '';
    return `${trail}<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(r)}" ry="${n(r * 1.3)}" opacity="${n(random.between(0.35, 0.8))}"/>`;
  };
  const lights = Array.from({ length: 26 }, () => {
    const color = random.pick([colors.glow, colors.light, '#ffcf7a', '#ff9d7a']);
    return `<circle cx="${n(random.between(-60, 780))}" cy="${n(random.between(240, 560))}" r="${n(random.between(12, 44))}" fill="${color}" opacity="${n(random.between(0.15, 0.5))}"/>`;
  });
  return {
    back:
      sky(colors) + `<g transform="translate(0,-200)" opacity="0.7">${houses(random, colors)}</g>` + lights.join(''),
    front:
      `<g fill="${colors.light}">${Array.from({ length: 130 }, drop).join('')}</g><path d="${FRAME}" fill="${colors.skyTop}" fill-rule="evenodd"/>` +
      `<path d="M70,60 H344 M376,60 H650" stroke="${colors.glow}" stroke-opacity="0.4" stroke-width="5"/><rect x="40" y="560" width="640" height="26" rx="6" fill="${colors.near}"/>` +
      // A cat that waits for the rain to end.
      `<path d="M470,562 c-10,-90 20,-130 60,-150 c-8,-30 -6,-56 2,-70 l24,26 h28 l24,-26 c10,20 10,44 2,70 c40,30 52,100 40,150Z" fill="#100d16"/><path d="M640,556 q60,10 52,-60" fill="none" stroke="#100d16" stroke-width="17" stroke-linecap="round"/>`,
  };
};

export const nightTrain: PaintScene = (random, colors) => {
  const seat = `<path d="M-90,760 V520 q0,-70 70,-70 q70,0 80,70 l20,240Z" fill="#7a2f3a"/><path d="M-60,500 q40,-30 90,10" stroke="#a5525a" stroke-width="8" fill="none"/>`;
  return {
    back:
      sky(colors) +
      stars(random, colors, 160, 420) +
      orb(random.between(380, 560), 210, 60, colors) +
      ridge(random, 440, 110, colors.far) +
      ridge(random, 520, 80, colors.near),
    front:
      `<path d="M-90,-40 H810 V760 H-90Z M100,120 q0,-40 40,-40 H640 q40,0 40,40 V500 q0,40 -40,40 H140 q-40,0 -40,-40Z" fill="#2b2530" fill-rule="evenodd"/><rect x="94" y="74" width="592" height="472" rx="46" fill="none" stroke="#8d7a5e" stroke-width="11"/>` +
      `<path d="M140,80 L330,80 L180,540 H140 q-40,0 -40,-40 V120 q0,-40 40,-40Z" fill="#fff" opacity="0.06"/><rect x="60" y="566" width="670" height="20" rx="8" fill="#5e4a3a"/>${seat}` +
      `<g transform="translate(560,566)"><path d="M-34,0 h68 l-8,-78 h-52Z" fill="#f0ead9"/><path d="M-28,-60 h56" stroke="#b8473e" stroke-width="10"/></g><circle cx="420" cy="20" r="24" fill="${colors.light}" opacity="0.9"/>`,
  };
};
