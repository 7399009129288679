import type { ClothesStyle, Look, SkinColors } from './look.js';

/** The bust, in the head's own measures. */
const BODY =
  'M-290,600 C-288,430 -250,350 -150,316 C-104,300 -78,286 -66,262 L66,262 C78,286 104,300 150,316 C250,350 288,430 290,600Z';

const NECK = 'M-62,120 L-62,258 Q-68,276 -84,284 Q0,372 84,284 Q68,276 62,258 L62,120Z';
const NECK_COVERED = 'M-62,120 L-62,262 L62,262 L62,120Z';

const COLLARS: Readonly<Record<ClothesStyle, (color: string, accent: string) => string>> = {
  crew: (_, accent) => `<path d="M-82,284 Q0,352 82,284 L92,294 Q0,374 -92,294Z" fill="${accent}"/>`,
  'v-neck': (_, accent) => `<path d="M-84,282 L0,404 L84,282 L98,292 L0,432 L-98,292Z" fill="${accent}"/>`,
  turtleneck: (color) =>
    `<path d="M-72,214 Q0,246 72,214 L82,304 Q0,346 -82,304Z" fill="${color}"/>` +
    `<path d="M-74,238 Q0,270 74,238 M-78,268 Q0,302 78,268" fill="none" stroke="#000" stroke-opacity="0.16" stroke-width="5"/>` +
    `<path d="M-72,214 Q0,246 72,214" fill="none" stroke="#fff" stroke-opacity="0.25" stroke-width="4"/>`,
  shirt: (color, accent) =>
    `<path d="M-66,258 L-104,300 L-52,384 L0,316Z M66,258 L104,300 L52,384 L0,316Z" fill="${color}"/>` +
    `<path d="M-66,258 L-104,300 L-52,384 L0,316Z M66,258 L104,300 L52,384 L0,316Z" fill="#fff" fill-opacity="0.2" stroke="#000" stroke-opacity="0.14" stroke-width="3"/>` +
    `<path d="M0,320 L0,600" stroke="#000" stroke-opacity="0.2" stroke-width="4"/><g fill="${accent}"><circle cx="11" cy="404" r="6"/><circle cx="11" cy="470" r="6"/><circle cx="11" cy="536" r="6"/></g>`,
  hoodie: (color, accent) =>
    `<path d="M-66,232 C-150,246 -168,330 -84,356 C-40,372 -10,352 0,336 C10,352 40,372 84,356 C168,330 150,246 66,232 C92,290 40,330 0,330 C-40,330 -92,290 -66,232Z" fill="${color}"/>` +
    `<path d="M-66,232 C-150,246 -168,330 -84,356 C-40,372 -10,352 0,336 C10,352 40,372 84,356 C168,330 150,246 66,232 C92,290 40,330 0,330 C-40,330 -92,290 -66,232Z" fill="#fff" fill-opacity="0.14"/>` +
    `<path d="M-36,356 L-42,464 M36,356 L42,450" stroke="${accent}" stroke-width="8" stroke-linecap="round"/>`,
  blazer: (color, accent) =>
    `<path d="M-64,262 L0,420 L64,262 L120,300 L70,600 L-70,600 L-120,300Z" fill="${accent}"/>` +
    `<path d="M-70,258 C-110,290 -120,320 -112,352 L-142,372 L-6,600 L-60,600 L-180,600 L-158,326Z M70,258 C110,290 120,320 112,352 L142,372 L6,600 L60,600 L180,600 L158,326Z" fill="${color}"/>` +
    `<path d="M-70,258 C-110,290 -120,320 -112,352 L-142,372 L-2,596 M70,258 C110,290 120,320 112,352 L142,372 L2,596" fill="none" stroke="#000" stroke-opacity="0.28" stroke-width="5" stroke-linejoin="round"/>`,
  wrap: (color, accent) =>
    `<path d="M-100,290 C-40,340 40,420 150,600 L-290,600 C-286,440 -240,350 -100,290Z" fill="${color}"/>` +
    `<path d="M-104,292 C-40,340 44,424 152,600" fill="none" stroke="${accent}" stroke-width="12"/>` +
    `<path d="M-140,330 C-90,380 -30,460 20,600 M-200,372 C-150,420 -110,500 -90,600" fill="none" stroke="#000" stroke-opacity="0.13" stroke-width="6"/>`,
  overalls: (color, accent) =>
    `<path d="M-82,284 Q0,352 82,284 L92,294 Q0,374 -92,294Z" fill="${accent}"/>` +
    `<path d="M-130,440 Q0,470 130,440 L150,600 L-150,600Z" fill="${color}"/>` +
    `<path d="M-172,322 L-128,308 L-96,470 L-140,474Z" fill="${color}"/><path d="M172,322 L128,308 L96,470 L140,474Z" fill="${color}"/>` +
    `<circle cx="-114" cy="456" r="11" fill="#f3c969"/><circle cx="114" cy="456" r="11" fill="#f3c969"/>`,
};

/** Neck, shoulders and what they wear. */
export function drawBust({ clothes: { style, color, accent } }: Look, skin: SkinColors): string {
  const cloth = style === 'overalls' ? '#efe7da' : color;
  const deep = style === 'v-neck' || style === 'wrap' || style === 'blazer';
  const covered = style === 'turtleneck' || style === 'hoodie';
  const skinArea = deep ? 'M-84,282 L0,410 L84,282Z' : 'M-84,284 Q0,352 84,284Z';
  return (
    // The neck is short.
    `<g transform="translate(0,-54)"><path d="${BODY}" fill="${cloth}"/>` +
    (covered ? '' : `<path d="${skinArea}" fill="${skin.base}"/>`) +
    `<path d="${covered ? NECK_COVERED : NECK}" fill="${skin.base}"/>` +
    `<path d="M-62,186 L62,186 L62,226 Q0,282 -62,222Z" fill="${skin.shade}" opacity="0.7"/>` +
    (deep
      ? `<path d="M-70,300 Q-36,306 -22,318 M70,300 Q36,306 22,318" fill="none" stroke="${skin.shade}" stroke-width="4" stroke-linecap="round" opacity="0.6"/>`
      : '') +
    COLLARS[style](color, accent) +
    `<clipPath id="body"><path d="${BODY}"/></clipPath><g clip-path="url(#body)">` +
    `<rect x="-300" y="200" width="600" height="420" fill="url(#bustShade)"/>` +
    `<path d="${BODY}" fill="none" stroke="url(#rim)" stroke-width="22" filter="url(#softer)"/></g></g>`
  );
}
