import { SeededRandom } from '../seeded-random.js';
import { n, shapes } from '../svg.js';
import { EYES_X, EYES_Y, MOUTH_Y } from './head.js';
import type { Look, SkinColors } from './look.js';

export type EyesState = 'open' | 'closed';

interface Features {
  readonly look: Look;
  readonly skin: SkinColors;
  /** Brows and beards have the colour of the hair. */
  readonly brow: string;
  readonly eyes: EyesState;
  readonly seed: string;
}

/** Eyes, brows, nose, mouth, and what is on or around them. */
export function drawFeatures({ look, skin, brow, eyes, seed }: Features): string {
  const random = new SeededRandom(`${seed} face`);
  return shapes([
    look.aged && agedLines(skin),
    look.freckles && freckles(skin, random),
    look.beard && drawBeard(look.beard, brow),
    eye(-1, { look, skin, eyes }),
    eye(1, { look, skin, eyes }),
    brows(look, brow, random),
    nose(skin),
    drawMouth(look.mouth, skin),
    look.beard !== undefined && look.beard !== 'stubble' && moustache(look.beard, brow),
    look.glasses && drawGlasses(look.glasses),
    look.earrings && drawEarrings(look.earrings, look),
  ]);
}

function eye(side: 1 | -1, { look, skin, eyes }: Pick<Features, 'look' | 'skin' | 'eyes'>): string {
  const open = `<g transform="translate(${side * EYES_X},${EYES_Y}) scale(${side},1)">`;
  const lash = look.lashes
    ? `<path d="M25,-7 L34,-14 M21,-12 L28,-20" stroke="#1d1620" stroke-width="3.4" stroke-linecap="round"/>`
    : '';
  if (eyes === 'closed') {
    return (
      `${open}<path d="M-25,2 Q0,18 26,0" fill="none" stroke="#1d1620" stroke-width="5" stroke-linecap="round"/>` +
      `<path d="M-24,-8 Q0,-18 26,-8" fill="none" stroke="${skin.shade}" stroke-width="3" opacity="0.7" stroke-linecap="round"/></g>`
    );
  }
  return (
    `${open}<clipPath id="eye${side}"><path d="M-25,3 Q-6,-20 26,-3 Q10,19 -25,3Z"/></clipPath>` +
    `<path d="M-25,3 Q-6,-20 26,-3 Q10,19 -25,3Z" fill="#fdfaf6"/><g clip-path="url(#eye${side})">` +
    `<circle cx="${side}" cy="-1" r="13" fill="${look.eyes}"/><circle cx="${side}" cy="-1" r="13" fill="url(#iris)"/>` +
    `<circle cx="${side}" cy="-1" r="6" fill="#130f17"/><rect x="-30" y="-20" width="60" height="12" fill="#3a2b3a" opacity="0.28"/></g>` +
    `<circle cx="${side * 5}" cy="-6" r="3.4" fill="#fff"/><circle cx="${side * -4}" cy="4" r="1.6" fill="#fff" opacity="0.8"/>` +
    `<path d="M-26,4 Q-6,-21 28,-5" fill="none" stroke="#1d1620" stroke-width="5" stroke-linecap="round"/>${lash}` +
    `<path d="M-23,-11 Q-2,-30 27,-15" fill="none" stroke="${skin.shade}" stroke-width="3" opacity="0.6" stroke-linecap="round"/>` +
    `<path d="M-18,11 Q4,19 22,7" fill="none" stroke="${skin.shade}" stroke-width="2.4" opacity="0.5" stroke-linecap="round"/></g>`
  );
}

function brows({ lashes }: Look, color: string, random: SeededRandom): string {
  const [width, lift] = [lashes ? 7.5 : 10.5, random.between(-3, 3)];
  const brow = (side: 1 | -1): string =>
    `<path transform="scale(${side},1)" d="M20,${n(-25)} Q44,${n(-42 + lift)} 76,${n(-25 + lift / 2)}" fill="none" ` +
    `stroke="${color}" stroke-width="${width}" stroke-linecap="round" opacity="0.92"/>`;
  return brow(-1) + brow(1);
}

const nose = (skin: SkinColors): string =>
  `<path d="M7,-6 C14,24 20,44 17,56 C12,66 -8,68 -15,58" fill="none" stroke="${skin.shade}" stroke-width="4.5" stroke-linecap="round" opacity="0.85"/>` +
  `<ellipse cx="6" cy="42" rx="6" ry="11" fill="${skin.light}" opacity="0.65" filter="url(#softer)"/>`;

function drawMouth(mouth: Look['mouth'], { lips, shade }: SkinColors): string {
  const dimples = `<path d="M-44,${MOUTH_Y - 8} q-5,6 -2,13 M44,${MOUTH_Y - 8} q5,6 2,13" fill="none" stroke="${shade}" stroke-width="3" stroke-linecap="round" opacity="0.7"/>`;
  const chin = `<path d="M-12,${MOUTH_Y + 32} Q0,${MOUTH_Y + 37} 12,${MOUTH_Y + 32}" fill="none" stroke="${shade}" stroke-width="3" stroke-linecap="round" opacity="0.45"/>`;
  if (mouth === 'grin') {
    return (
      `${dimples}${chin}<path d="M-38,${MOUTH_Y - 6} Q0,${MOUTH_Y + 4} 38,${MOUTH_Y - 6} Q28,${MOUTH_Y + 30} 0,${MOUTH_Y + 30} Q-28,${MOUTH_Y + 30} -38,${MOUTH_Y - 6}Z" fill="#6b1f2c"/>` +
      `<path d="M-34,${MOUTH_Y - 4} Q0,${MOUTH_Y + 5} 34,${MOUTH_Y - 4} Q30,${MOUTH_Y + 11} 0,${MOUTH_Y + 13} Q-30,${MOUTH_Y + 11} -34,${MOUTH_Y - 4}Z" fill="#fffaf3"/>` +
      `<path d="M-38,${MOUTH_Y - 6} Q0,${MOUTH_Y + 4} 38,${MOUTH_Y - 6}" fill="none" stroke="${lips}" stroke-width="5" stroke-linecap="round"/>` +
      `<path d="M-24,${MOUTH_Y + 24} Q0,${MOUTH_Y + 36} 24,${MOUTH_Y + 24}" fill="none" stroke="${lips}" stroke-width="5" stroke-linecap="round"/>`
    );
  }
  const [half, lift] = mouth === 'smile' ? [36, 9] : [29, 5];
  return (
    `${mouth === 'smile' ? dimples : ''}${chin}` +
    `<path d="M${-half},${MOUTH_Y - lift + 4} Q-14,${MOUTH_Y - 4} -7,${MOUTH_Y - 6} Q0,${MOUTH_Y - 2} 7,${MOUTH_Y - 6} Q14,${MOUTH_Y - 4} ${half},${MOUTH_Y - lift + 4} ` +
    `Q16,${MOUTH_Y + 21} 0,${MOUTH_Y + 21} Q-16,${MOUTH_Y + 21} ${-half},${MOUTH_Y - lift + 4}Z" fill="${lips}"/>` +
    `<path d="M${-half - 2},${MOUTH_Y - lift + 3} Q0,${MOUTH_Y + lift + 4} ${half + 2},${MOUTH_Y - lift + 3}" fill="none" stroke="#4a1722" stroke-width="3.2" stroke-linecap="round" opacity="0.75"/>` +
    `<ellipse cx="5" cy="${MOUTH_Y + 13}" rx="12" ry="3" fill="#fff" opacity="0.22"/>`
  );
}

function drawBeard(beard: NonNullable<Look['beard']>, color: string): string {
  const full =
    'M-106,20 C-100,70 -92,112 -66,142 C-46,168 -20,178 0,178 C20,178 46,168 66,142 C92,112 100,70 106,20 ' +
    'C96,66 84,76 58,78 C36,70 18,76 0,76 C-18,76 -36,70 -58,78 C-84,76 -96,66 -106,20Z';
  const short =
    'M-102,30 C-96,76 -86,112 -62,138 C-44,160 -18,166 0,166 C18,166 44,160 62,138 C86,112 96,76 102,30 ' +
    'C92,84 76,92 54,88 C36,74 18,76 0,76 C-18,76 -36,74 -54,88 C-76,92 -92,84 -102,30Z';
  if (beard === 'moustache') return '';
  if (beard === 'stubble')
    return `<g clip-path="url(#head)"><path d="${short}" fill="${color}" opacity="0.24" filter="url(#softer)"/></g>`;
  return `<path d="${beard === 'full' ? full : short}" fill="${color}"/><path d="${beard === 'full' ? full : short}" fill="url(#hairShine)" opacity="0.4"/>`;
}

function moustache(beard: NonNullable<Look['beard']>, color: string): string {
  const spread = beard === 'moustache' ? 50 : 44;
  return `<path d="M0,78 C-12,70 -30,72 -${spread},96 C-30,92 -14,94 0,88 C14,94 30,92 ${spread},96 C30,72 12,70 0,78Z" fill="${color}"/>`;
}

function drawGlasses(kind: NonNullable<Look['glasses']>): string {
  const lens = (side: 1 | -1): string =>
    kind === 'round'
      ? `<circle cx="${side * 46}" cy="10" r="37"/>`
      : `<rect x="${side * 48 - 39}" y="-19" width="78" height="58" rx="15"/>`;
  return (
    `<g fill="#ffffff" fill-opacity="0.1" stroke="#2a2330" stroke-width="5">${lens(-1)}${lens(1)}</g>` +
    `<path d="M-10,6 Q0,-3 10,6 M-84,2 L-106,-4 M84,2 L106,-4" fill="none" stroke="#2a2330" stroke-width="5" stroke-linecap="round"/>` +
    `<path d="M-68,-8 L-50,-18 M26,-8 L44,-18" stroke="#fff" stroke-width="4" stroke-linecap="round" opacity="0.5"/>`
  );
}

function drawEarrings(kind: NonNullable<Look['earrings']>, { clothes }: Look): string {
  const one = (x: number): string =>
    kind === 'hoops'
      ? `<circle cx="${x}" cy="62" r="15" fill="none" stroke="#f3c969" stroke-width="4.5"/>`
      : `<circle cx="${x}" cy="46" r="6.5" fill="${clothes.accent}"/><circle cx="${x + 2}" cy="44" r="2" fill="#fff"/>`;
  return one(-107) + one(107);
}

function freckles({ shade }: SkinColors, random: SeededRandom): string {
  const spot = (): string => {
    const side = random.next() < 0.5 ? -1 : 1;
    return `<circle cx="${n(side * random.between(16, 76))}" cy="${n(random.between(36, 62))}" r="${n(random.between(1.2, 2.4))}"/>`;
  };
  return `<g fill="${shade}" opacity="0.8">${Array.from({ length: 26 }, spot).join('')}</g>`;
}

const agedLines = ({ shade }: SkinColors): string =>
  `<g fill="none" stroke="${shade}" stroke-width="3" stroke-linecap="round" opacity="0.6">` +
  `<path d="M-80,14 l-13,-5 M-80,21 l-13,3 M80,14 l13,-5 M80,21 l13,3"/><path d="M-36,62 Q-54,76 -52,92 M36,62 Q54,76 52,92"/>` +
  `<path d="M-34,-66 Q0,-73 34,-66" opacity="0.7"/></g>`;
