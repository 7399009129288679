import { radialGradient, n } from '../svg.js';
import type { MoodColors } from '../moods.js';
import type { SeededRandom } from '../seeded-random.js';
import type { PaintScene } from './painted-scene.js';

/** A wall in the colours of a mood, and a table in front of it. */
function room({ skyTop, skyMiddle, glow, near }: MoodColors): string {
  const lamp = radialGradient('lamp', [
    { at: 0, color: glow, opacity: 0.65 },
    { at: 0.6, color: skyMiddle, opacity: 0.4 },
    { at: 1, color: skyTop, opacity: 0 },
  ]);
  return (
    `<defs>${lamp}<filter id="shadow" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="14"/></filter></defs>` +
    `<rect x="-90" y="-40" width="900" height="800" fill="${skyTop}"/><rect x="-90" y="-40" width="900" height="800" fill="${skyMiddle}" opacity="0.45"/>` +
    `<circle cx="400" cy="260" r="430" fill="url(#lamp)"/><rect x="-90" y="560" width="900" height="200" fill="${near}"/>` +
    `<rect x="-90" y="560" width="900" height="8" fill="${glow}" opacity="0.35"/>`
  );
}

const shadow = (x: number, y: number, rx: number): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${n(rx * 0.13)}" fill="#05040c" opacity="0.6" filter="url(#shadow)"/>`;

function steam(x: number, y: number, random: SeededRandom): string {
  const wisp = (offset: number): string => {
    const bend = random.between(18, 34);
    return `<path d="M${n(x + offset)},${n(y)} c${n(-bend)},-40 ${n(bend)},-70 0,-110 s${n(bend)},-70 0,-110" />`;
  };
  return `<g fill="none" stroke="#fff" stroke-width="9" stroke-linecap="round" opacity="0.26" filter="url(#shadow)">${[-46, 0, 46].map(wisp).join('')}</g>`;
}

export const ramen: PaintScene = (random, colors) => ({
  back: room(colors),
  front:
    `${shadow(360, 640, 250)}<path d="M120,400 H600 C596,540 520,630 440,640 H280 C200,630 124,540 120,400Z" fill="#2c3a63"/>` +
    `<path d="M120,400 H600 C598,452 588,492 570,524 C440,560 280,560 150,524 C132,492 122,452 120,400Z" fill="#fff" opacity="0.07"/>` +
    `<ellipse cx="360" cy="400" rx="240" ry="66" fill="#f0ead9"/><ellipse cx="360" cy="402" rx="214" ry="54" fill="#c97c35"/>` +
    `<g fill="none" stroke="#f3d48b" stroke-width="9" stroke-linecap="round">${Array.from({ length: 13 }, (_, index) => `<path d="M${190 + index * 22},${n(420 + random.between(-14, 10))} q${n(random.between(20, 50))},${n(random.between(-26, 24))} ${n(random.between(70, 120))},${n(random.between(-8, 12))}"/>`).join('')}</g>` +
    `<ellipse cx="270" cy="384" rx="54" ry="31" fill="#fdf8ec"/><ellipse cx="270" cy="385" rx="25" ry="15" fill="#f2a22e"/>` +
    `<ellipse cx="446" cy="386" rx="62" ry="28" fill="#a55a3f"/><ellipse cx="446" cy="384" rx="46" ry="19" fill="#d99a7c"/><path d="M330,352 l70,-70 l58,30 l-50,62Z" fill="#1d3b30"/>` +
    `<g fill="#7fc46a">${Array.from({ length: 22 }, () => `<circle cx="${n(random.between(220, 500))}" cy="${n(random.between(376, 434))}" r="${n(random.between(4, 8))}"/>`).join('')}</g>` +
    `<path d="M470,392 L700,250 M486,404 L714,274" stroke="#7a3b22" stroke-width="11" stroke-linecap="round"/>${steam(330, 330, random)}`,
});

export const bread: PaintScene = (random, colors) => {
  const loaf = (x: number, y: number, size: number): string =>
    `<g transform="translate(${x},${y}) scale(${size})"><path d="M-170,60 C-190,-60 -90,-110 0,-110 C90,-110 190,-60 170,60 C150,96 -150,96 -170,60Z" fill="#b8702f"/>` +
    `<path d="M-150,30 C-150,-60 -70,-94 0,-94 C70,-94 150,-60 150,30 C110,0 -110,0 -150,30Z" fill="#dd9d52"/>` +
    `<g fill="none" stroke="#f7e3bd" stroke-width="15" stroke-linecap="round">${[-80, -10, 60].map((left) => `<path d="M${left - 22},6 Q${left},-50 ${left + 46},-76"/>`).join('')}</g>` +
    `<g fill="#fff6e2" opacity="0.8">${Array.from({ length: 26 }, () => `<circle cx="${n(random.between(-130, 130))}" cy="${n(random.between(-80, 30))}" r="${n(random.between(1, 3.4))}"/>`).join('')}</g></g>`;
  return {
    back: room(colors),
    front: `${shadow(360, 640, 300)}<rect x="70" y="600" width="580" height="46" rx="16" fill="#7b4b2a"/><rect x="70" y="600" width="580" height="14" rx="7" fill="#a06b3f"/>${loaf(470, 510, 0.95)}${loaf(240, 520, 1.05)}${steam(360, 380, random)}`,
  };
};

export const books: PaintScene = (random, colors) => {
  const spines = ['#b8473e', '#d99a3d', '#3f6f8c', '#6f4b85', '#4b7f5e', '#c9b48a', '#2f4260'] as const;
  let y = 600;
  const pile = Array.from({ length: 7 }, (_, index) => {
    const [width, height] = [random.between(270, 400), random.between(38, 56)];
    const x = 340 - width / 2 + random.between(-26, 26);
    y -= height;
    const color = spines[index % spines.length] ?? spines[0];
    return `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" rx="7" fill="${color}"/><rect x="${n(x + width - 26)}" y="${n(y + 5)}" width="26" height="${n(height - 10)}" fill="#f4ead2"/><g fill="#f7e3bd" opacity="0.8"><rect x="${n(x + 26)}" y="${n(y + 6)}" width="7" height="${n(height - 12)}"/><rect x="${n(x + 60)}" y="${n(y + height / 2 - 3)}" width="${n(random.between(70, 130))}" height="6" rx="3"/></g>`;
  });
  return {
    back: room(colors),
    front:
      `${shadow(340, 606, 240)}${pile.join('')}<g transform="translate(340,${n(y)})"><path d="M0,0 C-50,-44 -120,-44 -170,-26 V-46 C-120,-66 -50,-66 0,-20 C50,-66 120,-66 170,-46 V-26 C120,-44 50,-44 0,0Z" fill="#fbf3df"/><path d="M0,-20 V0" stroke="#b9a57c" stroke-width="4"/></g>` +
      `<g transform="translate(588,600)"><path d="M-40,0 h80 l-10,-70 h-60Z" fill="${colors.glow}" opacity="0.9"/><path d="M0,-70 c-50,-30 -40,-90 -30,-120 c30,40 40,60 30,120 c0,-70 20,-90 46,-110 c10,50 -10,90 -46,110Z" fill="#4f8f68"/></g>`,
  };
};

export const teacups: PaintScene = (random, colors) => {
  const cup = (x: number, color: string, size: number): string =>
    `<g transform="translate(${x},560) scale(${size})"><ellipse cx="0" cy="54" rx="130" ry="20" fill="#efe4cf"/><path d="M70,-30 q70,0 60,44 q-10,36 -72,30" fill="none" stroke="${color}" stroke-width="15"/>` +
    `<path d="M-92,-60 H92 C92,20 50,54 30,56 H-30 C-50,54 -92,20 -92,-60Z" fill="${color}"/><ellipse cx="0" cy="-60" rx="92" ry="22" fill="#fff" opacity="0.85"/><ellipse cx="0" cy="-57" rx="80" ry="17" fill="#8a4522"/>` +
    `<path d="M-70,-30 C-66,10 -46,36 -34,44" fill="none" stroke="#fff" stroke-width="8" opacity="0.35" stroke-linecap="round"/></g>`;
  return {
    back: room(colors),
    front: `${shadow(360, 640, 280)}${cup(500, colors.far, 1)}${cup(230, random.pick(['#c65d4a', '#3f6f8c', '#5e8a5a']), 1.3)}${steam(230, 440, random)}`,
  };
};

export const mangoes: PaintScene = (random, colors) => {
  const mango = (x: number, y: number, tilt: number): string =>
    `<g transform="translate(${x},${y}) rotate(${tilt})"><path d="M-80,10 C-86,-60 -20,-84 30,-66 C86,-46 92,20 50,54 C10,84 -70,70 -80,10Z" fill="#f2a52c"/><path d="M-70,0 C-70,-50 -20,-74 30,-60 C-6,-40 -30,-10 -34,40 C-56,34 -70,20 -70,0Z" fill="#e4572e" opacity="0.65"/><ellipse cx="34" cy="-26" rx="17" ry="10" fill="#fff" opacity="0.4"/><path d="M-74,-24 q-20,-10 -26,-30" stroke="#5e3a1c" stroke-width="8" stroke-linecap="round"/></g>`;
  const spots = [
    [190, 540],
    [330, 556],
    [470, 540],
    [260, 460],
    [400, 452],
    [540, 566],
    [330, 374],
  ] as const;
  return {
    back: room(colors),
    front: `${shadow(360, 626, 290)}${spots.map(([x, y]) => mango(x, y, random.whole(-30, 30))).join('')}<path d="M300,310 c-60,-60 -130,-60 -170,-40 c40,50 100,70 170,40Z" fill="#4f8a4a"/>`,
  };
};

export const orchid: PaintScene = (random, colors) => {
  const bloom = (x: number, y: number, size: number): string => {
    const petals = [0, 72, 144, 216, 288].map(
      (turn) =>
        `<ellipse cx="0" cy="-46" rx="31" ry="48" transform="rotate(${turn})" fill="${colors.light}"/><ellipse cx="0" cy="-38" rx="9" ry="34" transform="rotate(${turn})" fill="${colors.glow}" opacity="0.4"/>`,
    );
    return `<g transform="translate(${x},${y}) scale(${size}) rotate(${random.whole(-18, 18)})">${petals.join('')}<path d="M-17,0 Q0,-20 17,0 Q22,30 0,40 Q-22,30 -17,0Z" fill="#c2417c"/><circle cy="2" r="8" fill="#ffd76a"/></g>`;
  };
  return {
    back: room(colors),
    front:
      `${shadow(330, 640, 170)}<path d="M330,560 C300,420 310,250 420,160 S610,110 640,170" fill="none" stroke="#5f8a52" stroke-width="10" stroke-linecap="round"/>` +
      `<path d="M330,560 C240,470 140,470 90,520 C170,570 260,580 330,560Z M330,560 C400,480 520,470 580,530 C500,580 410,584 330,560Z" fill="#3f7a55"/>` +
      `<path d="M240,540 H420 L396,660 H264Z" fill="#b8623e"/><rect x="228" y="528" width="204" height="32" rx="10" fill="#cf7a52"/>` +
      bloom(330, 330, 1) +
      bloom(384, 212, 1.1) +
      bloom(500, 150, 1) +
      bloom(600, 190, 0.75),
  };
};

export const record: PaintScene = (random, colors) => {
  const grooves = Array.from({ length: 14 }, (_, index) => `<circle cx="330" cy="370" r="${96 + index * 11}"/>`);
  return {
    back: room(colors),
    front:
      `<rect x="40" y="110" width="640" height="520" rx="30" fill="#5a3a2b"/><rect x="40" y="110" width="640" height="520" rx="30" fill="url(#lamp)" opacity="0.5"/><circle cx="330" cy="370" r="250" fill="#15131a"/>` +
      `<g fill="none" stroke="#fff" stroke-opacity="0.08" stroke-width="3">${grooves.join('')}</g><path d="M330,370 L540,240 A246,246 0 0 1 576,390Z M330,370 L120,500 A246,246 0 0 1 84,350Z" fill="#fff" opacity="0.07"/>` +
      `<circle cx="330" cy="370" r="82" fill="${random.pick([colors.glow, '#e0a03f', '#d2604f'])}"/><circle cx="330" cy="370" r="60" fill="none" stroke="#fff" stroke-opacity="0.5" stroke-width="3"/><circle cx="330" cy="370" r="9" fill="#15131a"/>` +
      `<circle cx="606" cy="190" r="36" fill="#cfc8bd"/><path d="M606,190 L596,430 L506,500" fill="none" stroke="#e9e4da" stroke-width="13" stroke-linejoin="round" stroke-linecap="round"/><path d="M520,480 l-36,30 l18,22 l36,-28Z" fill="#2a2430"/>`,
  };
};

export const letters: PaintScene = (random, colors) => {
  const lines = Array.from({ length: 11 }, (_, index) => {
    const [y, width] = [230 + index * 32, random.between(220, 290)];
    const waves = Array.from(
      { length: Math.floor(width / 20) },
      () => `q5,${n(random.between(-12, -4))} 10,0 t10,0`,
    ).join(' ');
    return `<path d="M230,${y} ${waves}"/>`;
  });
  return {
    back: room(colors),
    front:
      `<g transform="rotate(-5 360 400)">${shadow(370, 640, 230)}<path d="M180,150 H560 V610 l-26,14 l-30,-18 l-36,22 l-30,-16 l-40,20 l-34,-18 l-40,18 l-30,-20 l-36,18 l-38,-16 l-40,6Z" fill="#f1e2bf"/>` +
      `<path d="M180,150 H560 V240 C440,220 300,200 180,260Z" fill="#fff" opacity="0.25"/><g fill="none" stroke="#4a3524" stroke-width="4" stroke-linecap="round" opacity="0.8">${lines.join('')}</g></g>` +
      `<circle cx="560" cy="580" r="46" fill="#a5313a"/><circle cx="560" cy="580" r="32" fill="none" stroke="#7c1f2a" stroke-width="6"/><path d="M560,562 l6,13 14,1 -11,9 4,14 -13,-8 -13,8 4,-14 -11,-9 14,-1Z" fill="#7c1f2a"/>` +
      `<path d="M690,90 C560,180 470,330 440,470 l-10,44 l26,-36 C560,420 680,280 690,90Z" fill="${colors.light}"/><path d="M684,104 C580,230 480,380 434,506" fill="none" stroke="${colors.far}" stroke-width="4"/>`,
  };
};

export const clockwork: PaintScene = (random, colors) => {
  const wheel = (x: number, y: number, r: number, color: string): string => {
    const count = Math.round(r / 7);
    const teeth = Array.from(
      { length: count },
      (_, index) =>
        `<rect x="-7" y="${n(-r - 12)}" width="14" height="22" rx="3" transform="rotate(${n((index * 360) / count)})"/>`,
    );
    const spokes = [0, 60, 120].map(
      (turn) => `<rect x="-7" y="${n(-r * 0.8)}" width="14" height="${n(r * 1.6)}" transform="rotate(${turn})"/>`,
    );
    return `<g transform="translate(${x},${y}) rotate(${random.whole(0, 40)})"><g fill="${color}">${teeth.join('')}</g><circle r="${r}" fill="none" stroke="${color}" stroke-width="${n(r * 0.26)}"/><g fill="${color}">${spokes.join('')}</g><circle r="${n(r * 0.22)}" fill="${color}"/><circle r="${n(r * 0.09)}" fill="#c2303f"/><circle r="${n(r * 0.99)}" fill="none" stroke="#fff" stroke-opacity="0.25" stroke-width="3"/></g>`;
  };
  return {
    back: room(colors),
    front:
      `<circle cx="360" cy="370" r="320" fill="#1d1a20"/><circle cx="360" cy="370" r="320" fill="none" stroke="#d8b66a" stroke-width="20"/>` +
      wheel(270, 290, 128, '#d8b66a') +
      wheel(478, 390, 106, '#b98d4a') +
      wheel(304, 518, 88, '#e6d3a0') +
      wheel(500, 214, 62, '#9c8f83') +
      wheel(160, 440, 54, '#b8b0a6'),
  };
};

export const chess: PaintScene = (random, colors) => {
  const squares = Array.from({ length: 32 }, (_, index) => {
    const [row, column] = [Math.floor(index / 8), index % 8];
    const [y, height] = [480 + row * 62, 62];
    const spread = 0.72 + row * 0.16;
    const x = (edge: number): number => 360 + (edge - 4) * 120 * spread;
    const next = (edge: number): number => 360 + (edge - 4) * 120 * (spread + 0.16);
    return `<path d="M${n(x(column))},${y} L${n(x(column + 1))},${y} L${n(next(column + 1))},${y + height} L${n(next(column))},${y + height}Z" fill="${(row + column) % 2 === 0 ? '#e9dcc0' : '#5c3d2b'}"/>`;
  });
  const piece = (x: number, y: number, size: number, color: string, crown: string): string =>
    `<g transform="translate(${x},${y}) scale(${size})">${shadow(10, 4, 80)}<g fill="${color}"><path d="M-60,0 C-60,-30 -34,-30 -30,-60 C-26,-110 -24,-140 -22,-170 H22 C24,-140 26,-110 30,-60 C34,-30 60,-30 60,0Z"/><rect x="-40" y="-186" width="80" height="20" rx="10"/>${crown}</g><path d="M-14,-160 C-18,-110 -20,-60 -34,-26" fill="none" stroke="#fff" stroke-opacity="0.3" stroke-width="8" stroke-linecap="round"/></g>`;
  const king =
    '<path d="M-36,-186 L-46,-250 H46 L36,-186Z"/><path d="M-8,-250 v-20 h-16 v-16 h16 v-18 h16 v18 h16 v16 h-16 v20Z"/>';
  const pawn = '<circle cy="-220" r="42"/>';
  const queen =
    '<path d="M-38,-186 L-56,-262 L-26,-226 L0,-276 L26,-226 L56,-262 L38,-186Z"/><circle cy="-284" r="11"/>';
  return {
    back: room(colors),
    front: `${squares.join('')}${piece(random.whole(500, 560), 560, 0.9, '#2a2026', queen)}${piece(370, 600, 0.72, '#2a2026', pawn)}${piece(190, 670, 1.3, '#f4ead2', king)}`,
  };
};

export const cello: PaintScene = (random, colors) => ({
  back: room(colors),
  front:
    `${shadow(380, 690, 190)}<g transform="rotate(${random.whole(8, 14)} 360 400) translate(360,420)"><path d="M-9,-560 h18 v470 h-18Z" fill="#2b1a16"/>` +
    `<path d="M0,-150 C80,-160 120,-110 104,-50 C94,-14 74,6 76,30 C80,60 150,90 142,180 C134,270 60,290 0,290 C-60,290 -134,270 -142,180 C-150,90 -80,60 -76,30 C-74,6 -94,-14 -104,-50 C-120,-110 -80,-160 0,-150Z" fill="#8c4520"/>` +
    `<path d="M0,-136 C66,-146 104,-104 92,-52 C80,-10 60,8 62,32 C66,66 134,98 128,180 C120,256 54,276 0,276 C-30,276 -60,160 -50,60 C-46,-20 -50,-120 0,-136Z" fill="#c2713a" opacity="0.75"/>` +
    `<g fill="none" stroke="#2b1410" stroke-width="7" stroke-linecap="round"><path d="M-62,60 c-16,20 10,40 -6,74 M62,60 c16,20 -10,40 6,74"/></g><path d="M-16,-130 L-10,120 H10 L16,-130Z" fill="#2b1a16"/><path d="M-30,130 h60 l-12,110 h-36Z" fill="#2b1a16"/><rect x="-36" y="112" width="72" height="12" rx="5" fill="#e6c48a"/>` +
    `<g stroke="#f1e6cf" stroke-width="2">${[-9, -3, 3, 9].map((x) => `<path d="M${x},-500 L${x * 1.6},230"/>`).join('')}</g></g><path d="M70,250 L650,560" stroke="#5e3520" stroke-width="11" stroke-linecap="round"/><path d="M84,270 L640,572" stroke="#f4ead2" stroke-width="4"/>`,
});

export const tiles: PaintScene = (random, colors) => {
  const blues = ['#1f3f8c', '#2d6fb5', '#4fb0c6', '#17306b', '#6f8fe0'] as const;
  const tile = (x: number, y: number): string => {
    const [a, b] = [random.pick(blues), random.pick(blues)];
    const petals = [0, 90, 180, 270].map(
      (turn) =>
        `<path d="M0,0 C-44,-40 -30,-84 0,-100 C30,-84 44,-40 0,0Z" transform="rotate(${turn})" fill="${a}"/><path d="M-84,-84 q40,6 48,48 q-42,-8 -48,-48Z" transform="rotate(${turn})" fill="#c8453c"/>`,
    );
    return `<g transform="translate(${x},${y})"><rect x="-116" y="-116" width="232" height="232" rx="8" fill="#f3efe4"/>${petals.join('')}<circle r="34" fill="${b}"/><circle r="15" fill="#f3efe4"/><circle r="108" fill="none" stroke="${b}" stroke-width="5"/></g>`;
  };
  const grid = [-1, 0, 1, 2].flatMap((column) => [0, 1, 2].map((row) => tile(120 + column * 240, 120 + row * 240)));
  return {
    back: `<rect x="-90" y="-40" width="900" height="800" fill="#d8cfbb"/>${grid.join('')}`,
    front: `<defs>${radialGradient('lamp', [
      { at: 0, color: colors.light, opacity: 0.35 },
      { at: 0.5, color: colors.skyMiddle, opacity: 0.1 },
      { at: 1, color: colors.skyTop, opacity: 0.75 },
    ])}</defs><circle cx="${random.whole(240, 460)}" cy="240" r="720" fill="url(#lamp)"/>`,
  };
};

export const boat: PaintScene = (random, colors) => {
  const ribs = Array.from(
    { length: 9 },
    (_, index) => `<path d="M${150 + index * 52},${n(430 + Math.abs(index - 4) * -9)} q10,100 -20,150"/>`,
  );
  const planks = Array.from(
    { length: 5 },
    (_, index) =>
      `<path d="M${80 + index * 18},${430 + index * 34} Q360,${500 + index * 36} ${652 - index * 18},${416 + index * 36}"/>`,
  );
  return {
    back: room(colors),
    front:
      `${shadow(360, 650, 310)}<path d="M40,390 Q360,500 690,370 Q640,560 540,620 H200 Q100,560 40,390Z" fill="#a9683a"/><g fill="none" stroke="#7c4524" stroke-width="6">${planks.join('')}</g><path d="M40,390 Q360,500 690,370" fill="none" stroke="#e2b27a" stroke-width="16" stroke-linecap="round"/>` +
      `<g fill="none" stroke="#d99f66" stroke-width="9" opacity="0.45">${ribs.join('')}</g><path d="M200,620 l-40,60 M540,620 l40,60 M250,620 v60 M490,620 v60" stroke="#5a3a28" stroke-width="16" stroke-linecap="round"/>` +
      `<g transform="translate(${random.whole(520, 580)},150)"><path d="M0,-200 V0" stroke="#15131a" stroke-width="5"/><path d="M-60,40 Q0,-50 60,40Z" fill="${colors.glow}"/><circle cy="46" r="20" fill="${colors.light}"/></g><g transform="translate(140,620)" fill="#6b4a2f"><path d="M0,0 q-6,-60 40,-66 l10,-26 18,24 q26,6 24,26 l-20,8 q0,40 10,60 h-16 l-10,-34 -20,0 -4,34Z"/></g>`,
  };
};

export const lanterns: PaintScene = (random, colors) => {
  const lantern = (x: number, y: number, size: number): string => {
    const color = random.pick([colors.glow, '#ffb14e', '#ff7a5c', '#ffd76a', '#ff9ad5']);
    return `<g transform="translate(${n(x)},${n(y)}) scale(${n(size)})"><circle r="120" fill="url(#halo)"/><path d="M0,-90 V-58" stroke="#2a1a22" stroke-width="4"/><rect x="-24" y="-62" width="48" height="11" rx="4" fill="#2a1a22"/><ellipse rx="56" ry="54" fill="${color}"/><ellipse rx="26" ry="54" fill="#fff3cf" opacity="0.55"/><path d="M-50,-20 Q0,-8 50,-20 M-54,6 Q0,18 54,6" fill="none" stroke="#7c2a2a" stroke-opacity="0.4" stroke-width="3"/><rect x="-22" y="50" width="44" height="10" rx="4" fill="#2a1a22"/></g>`;
  };
  const string = (y: number, sag: number, count: number, size: number): string => {
    const hung = Array.from({ length: count }, (_, index) => {
      const share = (index + 0.5) / count;
      return lantern(-90 + share * 900, y + 4 * sag * share * (1 - share) + 84 * size, size);
    });
    return `<path d="M-90,${y} Q360,${y + sag * 2} 810,${y}" fill="none" stroke="#15101a" stroke-width="5"/>${hung.join('')}`;
  };
  const head = (): string => {
    const [x, y, r] = [random.between(-60, 780), random.between(640, 690), random.between(26, 40)];
    return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}"/><path d="M${n(x - r * 1.9)},800 q0,${n(-800 + y + r * 0.7)} ${n(r * 1.9)},${n(-800 + y + r * 0.7)} t${n(r * 1.9)},${n(800 - y - r * 0.7)}Z"/>`;
  };
  const halo = radialGradient('halo', [
    { at: 0, color: colors.glow, opacity: 0.8 },
    { at: 1, color: colors.glow, opacity: 0 },
  ]);
  return {
    back: `<defs>${halo}</defs>${room(colors)}${string(40, 40, 6, 0.55)}`,
    front: `${string(120, 90, 5, 0.9)}<g fill="${colors.skyTop}">${Array.from({ length: 13 }, head).join('')}</g>`,
  };
};
