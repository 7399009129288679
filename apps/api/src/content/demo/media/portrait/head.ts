import { n } from '../svg.js';
import type { Look, SkinColors } from './look.js';

/** Half widths of a head at the temples, the cheeks and the jaw, and where its chin ends. Its middle is at 0, 0. */
interface HeadShape {
  readonly temples: number;
  readonly cheeks: number;
  readonly jaw: number;
  readonly chin: number;
}

export const HEAD_SHAPES: Readonly<Record<Look['face'], HeadShape>> = {
  oval: { temples: 104, cheeks: 102, jaw: 66, chin: 160 },
  round: { temples: 108, cheeks: 112, jaw: 78, chin: 150 },
  square: { temples: 104, cheeks: 105, jaw: 84, chin: 158 },
  long: { temples: 98, cheeks: 97, jaw: 64, chin: 172 },
};

export const EYES_Y = 8;
export const EYES_X = 45;
export const MOUTH_Y = 100;

/** The outline of the head. */
export function headPath({ temples, cheeks, jaw, chin }: HeadShape): string {
  return (
    `M${-temples},-50 C${-temples},-152 ${temples},-152 ${temples},-50 ` +
    `C${temples + 2},10 ${cheeks},66 ${jaw},112 C${n(jaw * 0.8)},${n(chin - 14)} ${n(jaw * 0.45)},${chin} 0,${chin} ` +
    `C${n(-jaw * 0.45)},${chin} ${n(-jaw * 0.8)},${n(chin - 14)} ${-jaw},112 C${-cheeks},66 ${-temples - 2},10 ${-temples},-50Z`
  );
}

/** Head, ears and the light on them. */
export function drawHead({ face }: Look, skin: SkinColors): string {
  const shape = HEAD_SHAPES[face];
  const path = headPath(shape);
  const ear = (side: 1 | -1): string =>
    `<g transform="translate(${side * (shape.temples - 1)},18)">` +
    `<ellipse rx="17" ry="27" fill="${skin.base}"/><ellipse cx="${side * 2}" cy="1" rx="9" ry="17" fill="${skin.shade}" opacity="0.55"/></g>`;
  return (
    `${ear(-1)}${ear(1)}<path d="${path}" fill="${skin.base}"/>` +
    `<clipPath id="head"><path d="${path}"/></clipPath><g clip-path="url(#head)">` +
    // Light from the upper right, shade on the left and under the chin.
    `<rect x="-140" y="-150" width="280" height="330" fill="url(#cheekShade)"/>` +
    `<ellipse cx="34" cy="-40" rx="96" ry="80" fill="${skin.light}" opacity="0.5" filter="url(#soft)"/>` +
    `<ellipse cx="0" cy="${shape.chin + 4}" rx="80" ry="26" fill="${skin.shade}" opacity="0.55" filter="url(#soft)"/>` +
    `<ellipse cx="-62" cy="62" rx="27" ry="19" fill="${skin.blush}" opacity="0.38" filter="url(#soft)"/>` +
    `<ellipse cx="62" cy="62" rx="27" ry="19" fill="${skin.blush}" opacity="0.38" filter="url(#soft)"/>` +
    `<path d="${path}" fill="none" stroke="url(#rim)" stroke-width="12" opacity="0.6" filter="url(#softer)"/></g>`
  );
}
