import { n } from '../svg.js';
import { SeededRandom } from '../seeded-random.js';
import type { HairStyle } from './look.js';

interface Hair {
  /** Behind the head and the shoulders. */
  readonly back: string;
  /** Over the forehead. */
  readonly front: string;
}

interface Paths {
  readonly back?: string;
  readonly front?: string;
  /** Strands, drawn as fine lines over it. */
  readonly strands?: string;
}

const CAP = 'M-112,4 C-124,-110 -70,-158 0,-158 C70,-158 124,-110 112,4';

const STYLES: Readonly<Record<Exclude<HairStyle, 'afro' | 'bald' | 'braids' | 'curls' | 'hijab' | 'locs'>, Paths>> = {
  crop: {
    front: `${CAP} C106,-26 104,-50 92,-74 C60,-92 -30,-96 -92,-74 C-104,-50 -106,-26 -112,4Z`,
    strands: 'M-84,-84 q10,-34 44,-52 M-30,-92 q10,-30 44,-48 M34,-92 q8,-24 34,-36',
  },
  quiff: {
    front:
      'M-110,0 C-122,-80 -104,-118 -76,-132 C-60,-184 30,-206 92,-168 C118,-150 126,-80 110,0 C106,-30 102,-56 90,-78 C50,-70 10,-88 -20,-104 C-40,-86 -70,-84 -90,-76 C-102,-54 -106,-28 -110,0Z',
    strands: 'M-66,-112 q30,-56 96,-60 M-30,-108 q40,-44 100,-44 M20,-92 q40,-18 70,-46',
  },
  'side-part': {
    front: `${CAP} C106,-30 102,-58 88,-78 C50,-66 -10,-82 -46,-118 C-56,-92 -78,-74 -92,-66 C-104,-46 -106,-24 -112,4Z`,
    strands: 'M-44,-122 q40,40 130,38 M-36,-136 q50,36 126,28 M-54,-120 q-16,30 -40,46',
  },
  pixie: {
    front:
      'M-114,20 C-132,-112 -70,-166 4,-164 C84,-162 128,-104 114,22 C108,8 104,-16 98,-40 C60,-52 30,-70 6,-104 C-14,-70 -50,-44 -96,-34 C-102,-14 -108,4 -114,20Z',
    strands: 'M4,-110 q-30,40 -92,62 M10,-124 q36,50 90,70 M-4,-140 q-50,24 -84,74',
  },
  fringe: {
    back: 'M-122,-10 C-140,-140 -70,-172 0,-172 C70,-172 140,-140 122,-10 C128,60 126,120 132,176 C90,206 -90,206 -132,176 C-126,120 -128,60 -122,-10Z',
    front:
      'M-118,40 C-132,-110 -76,-168 0,-168 C76,-168 132,-110 118,40 C112,10 108,-18 100,-38 C60,-28 -60,-28 -100,-38 C-108,-18 -112,10 -118,40Z',
    strands: 'M-70,-44 q-6,-60 30,-106 M-30,-36 q-6,-60 16,-112 M14,-34 q4,-60 0,-112 M58,-38 q8,-60 -22,-108',
  },
  bob: {
    back: 'M-126,-20 C-138,-146 -70,-174 0,-174 C70,-174 138,-146 126,-20 C140,50 140,110 128,150 C100,172 60,150 0,150 C-60,150 -100,172 -128,150 C-140,110 -140,50 -126,-20Z',
    front:
      'M-120,60 C-140,-110 -70,-170 10,-168 C84,-166 134,-110 122,60 C112,20 106,-16 96,-48 C60,-56 14,-80 -8,-118 C-30,-80 -66,-52 -98,-38 C-106,-8 -112,24 -120,60Z',
    strands: 'M-8,-124 q-30,54 -92,84 M0,-140 q-60,50 -104,110 M-2,-128 q40,56 100,76 M8,-146 q60,36 98,100',
  },
  long: {
    back: 'M-126,-20 C-142,-150 -70,-178 0,-178 C70,-178 142,-150 126,-20 C148,90 150,230 178,360 C120,404 80,360 0,360 C-80,360 -120,404 -178,360 C-150,230 -148,90 -126,-20Z',
    front:
      'M-122,90 C-144,-110 -72,-172 0,-172 C72,-172 144,-110 122,90 C118,30 108,-14 92,-46 C54,-62 14,-92 0,-130 C-14,-92 -54,-62 -92,-46 C-108,-14 -118,30 -122,90Z',
    strands: 'M0,-136 q-26,60 -92,92 M-4,-150 q-70,40 -104,130 M0,-136 q26,60 92,92 M4,-150 q70,40 104,130',
  },
  waves: {
    back: 'M-124,-20 C-150,-140 -76,-180 0,-178 C80,-178 150,-140 128,-20 C176,30 136,90 174,140 C204,200 150,240 186,300 C196,360 120,370 90,330 C40,350 -50,350 -96,330 C-130,370 -196,350 -180,290 C-150,240 -200,190 -170,140 C-136,90 -172,30 -124,-20Z',
    front:
      'M-122,70 C-150,-100 -80,-174 -6,-172 C80,-170 146,-104 124,64 C116,20 116,-18 92,-44 C70,-70 20,-70 -30,-122 C-40,-84 -80,-70 -94,-36 C-112,-10 -112,30 -122,70Z',
    strands: 'M-30,-128 q-20,54 -70,86 M-30,-128 q60,60 124,80 M-26,-144 q70,40 130,90 M-40,-142 q-50,36 -72,110',
  },
  bun: {
    back: 'M-62,-186 C-62,-262 62,-262 62,-186 C62,-130 -62,-130 -62,-186Z M-122,-10 C-138,-140 -70,-172 0,-172 C70,-172 138,-140 122,-10 C120,40 108,70 100,80 L-100,80 C-108,70 -120,40 -122,-10Z',
    front:
      'M-112,20 C-132,-104 -72,-166 0,-166 C72,-166 132,-104 112,20 C108,-10 104,-34 92,-60 C60,-98 20,-108 0,-108 C-20,-108 -60,-98 -92,-60 C-104,-34 -108,-10 -112,20Z',
    strands:
      'M0,-112 q-4,-26 0,-50 M-44,-102 q6,-34 26,-58 M44,-102 q-6,-34 -26,-58 M-80,-72 q4,-46 40,-80 M80,-72 q-4,-46 -40,-80 M-40,-216 q40,-24 80,0',
  },
  shaggy: {
    back: 'M-120,-10 C-140,-140 -70,-172 0,-172 C70,-172 140,-140 120,-10 C132,30 118,56 128,88 C108,96 100,80 90,84 L-90,84 C-100,80 -108,96 -128,88 C-118,56 -132,30 -120,-10Z',
    front:
      'M-118,50 C-140,-110 -76,-170 0,-168 C76,-170 140,-110 118,50 C110,26 108,-6 100,-26 C86,-40 74,-44 66,-66 C56,-46 40,-40 22,-64 C8,-42 -18,-38 -32,-66 C-44,-42 -66,-36 -78,-54 C-84,-36 -96,-30 -100,-18 C-108,0 -110,26 -118,50Z',
    strands: 'M-66,-66 q0,-50 40,-88 M-24,-76 q4,-46 22,-80 M26,-76 q10,-40 4,-80 M68,-72 q4,-44 -26,-84',
  },
};

/** The hair of a style, in front of the head and behind it. */
export function drawHair(style: HairStyle, color: string, seed: string): Hair {
  const random = new SeededRandom(`${seed} hair`);
  switch (style) {
    case 'bald':
      return { back: '', front: '' };
    case 'hijab':
      return drawHijab(color);
    case 'afro':
    case 'curls':
      return drawCurls(style, color, random);
    case 'braids':
    case 'locs':
      return drawStrings(style, color, random);
    case 'bob':
    case 'bun':
    case 'crop':
    case 'fringe':
    case 'long':
    case 'pixie':
    case 'quiff':
    case 'shaggy':
    case 'side-part':
    case 'waves':
      return drawPaths(STYLES[style], color);
  }
}

const painted = (path: string, color: string): string =>
  `<path d="${path}" fill="${color}"/><path d="${path}" fill="url(#hairShine)"/>`;

const drawPaths = ({ back, front, strands }: Paths, color: string): Hair => ({
  back:
    back === undefined ? '' : `<path d="${back}" fill="${color}"/><path d="${back}" fill="#000" fill-opacity="0.22"/>`,
  front:
    (front === undefined ? '' : painted(front, color)) +
    (strands === undefined
      ? ''
      : `<path d="${strands}" fill="none" stroke="#fff" stroke-opacity="0.14" stroke-width="4" stroke-linecap="round"/>`),
});

interface Curl {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

const curlsOf = (curls: readonly Curl[], color: string): string => {
  const circles = curls.map(({ x, y, r }) => `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}"/>`).join('');
  const lines = curls
    .map(({ x, y, r }) => `<path d="M${n(x - r * 0.5)},${n(y)} a${n(r * 0.5)},${n(r * 0.5)} 0 0 1 ${n(r)},0"/>`)
    .join('');
  return `<g fill="${color}">${circles}</g><g fill="none" stroke="#fff" stroke-opacity="0.1" stroke-width="3.4" stroke-linecap="round">${lines}</g>`;
};

function drawCurls(style: 'afro' | 'curls', color: string, random: SeededRandom): Hair {
  const [reach, down] = style === 'afro' ? [150, 30] : [124, 110];
  const ring = (radius: number, size: number): Curl[] =>
    Array.from({ length: 26 }, (_, index) => {
      const angle = Math.PI * (0.86 + (index / 25) * 1.28);
      return {
        x: Math.cos(angle) * radius + random.between(-6, 6),
        y: -30 + Math.sin(angle) * radius * 1.02 + random.between(-6, 6),
        r: size + random.between(-5, 6),
      };
    });
  const sides = Array.from({ length: 16 }, (_, index) => ({
    x: (index % 2 === 0 ? -1 : 1) * (114 + random.between(-8, 16)),
    y: -20 + (index / 15) * down,
    r: 26 + random.between(-4, 6),
  }));
  const front = Array.from({ length: 11 }, (_, index) => ({
    x: -92 + index * 18.4 + random.between(-4, 4),
    y: -84 - Math.sin((index / 10) * Math.PI) * 30 + random.between(-5, 5),
    r: 24 + random.between(-3, 5),
  }));
  const crown = `<ellipse cx="0" cy="${style === 'afro' ? -70 : -60}" rx="${reach - 6}" ry="${reach - 26}" fill="${color}"/>`;
  return {
    back: `${crown}${curlsOf([...ring(reach, 30), ...sides], color)}`,
    front: `<path d="M-104,-40 C-104,-130 104,-130 104,-40 C80,-92 -80,-92 -104,-40Z" fill="${color}"/>${curlsOf([...ring(104, 22).filter(({ y }) => y < -70), ...front], color)}`,
  };
}

function drawStrings(style: 'braids' | 'locs', color: string, random: SeededRandom): Hair {
  const [count, length, width] = style === 'braids' ? [22, 300, 15] : [20, 150, 19];
  const strings = Array.from({ length: count }, (_, index) => {
    const x = -128 + (index / (count - 1)) * 256;
    const end = length + random.between(-30, 30) - Math.abs(x) * 0.1;
    const bend = random.between(-14, 14) + x * 0.16;
    return `<path d="M${n(x)},-40 C${n(x + bend)},${n(end * 0.3)} ${n(x * 1.1 + bend)},${n(end * 0.7)} ${n(x * 1.18)},${n(end)}"/>`;
  }).join('');
  const cap =
    'M-114,30 C-134,-106 -72,-168 0,-168 C72,-168 134,-106 114,30 C108,-10 104,-40 88,-66 C50,-104 -50,-104 -88,-66 C-104,-40 -108,-10 -114,30Z';
  const rows = Array.from({ length: 9 }, (_, index) => {
    const x = -72 + index * 18;
    return `<path d="M${x},${n(-96 + Math.abs(x) * 0.24)} Q${n(x * 0.9)},-130 ${n(x * 0.6)},-162"/>`;
  }).join('');
  return {
    back:
      `<ellipse cx="0" cy="-50" rx="128" ry="112" fill="${color}"/>` +
      `<g fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round">${strings}</g>` +
      `<g fill="none" stroke="#fff" stroke-opacity="0.12" stroke-width="${width - 8}" stroke-dasharray="3 13" stroke-linecap="round">${strings}</g>`,
    front: `${painted(cap, color)}<g fill="none" stroke="#000" stroke-opacity="0.28" stroke-width="4">${rows}</g>`,
  };
}

function drawHijab(color: string): Hair {
  const outer =
    'M-134,-10 C-148,-150 -74,-186 0,-186 C74,-186 148,-150 134,-10 C136,80 150,190 220,310 C120,400 -120,400 -220,310 C-150,190 -136,80 -134,-10Z';
  // A scarf with an opening for the face, and a fold that comes across the shoulder.
  const scarf =
    'M-128,10 C-140,-140 -70,-176 0,-176 C70,-176 140,-140 128,10 C126,110 150,230 190,300 C110,384 -110,384 -190,300 C-150,230 -126,110 -128,10Z ' +
    'M-90,-30 C-96,50 -80,116 -44,148 C-20,168 20,168 44,148 C80,116 96,50 90,-30 C82,-104 -82,-104 -90,-30Z';
  return {
    back: `<path d="${outer}" fill="${color}"/><path d="${outer}" fill="#000" fill-opacity="0.2"/>`,
    front:
      `<path d="${scarf}" fill="${color}" fill-rule="evenodd"/><path d="${scarf}" fill="url(#hairShine)" fill-rule="evenodd"/>` +
      `<path d="M-94,110 C-60,220 60,250 170,270 C150,300 60,300 -20,270 C-80,246 -116,190 -94,110Z" fill="#fff" fill-opacity="0.1"/>` +
      `<path d="M-96,90 C-70,200 40,240 176,262 M-108,60 C-100,190 -10,300 120,330 M-92,-60 C-60,-120 60,-120 92,-60" fill="none" stroke="#000" stroke-opacity="0.16" stroke-width="5" stroke-linecap="round"/>`,
  };
}
