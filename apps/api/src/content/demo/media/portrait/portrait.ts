import { AREA } from '../landforms.js';
import { MOOD_COLORS } from '../moods.js';
import { blur, type Frame, linearGradient, radialGradient, svgDocument } from '../svg.js';
import { drawBackdrop } from './backdrop.js';
import { drawBust } from './clothes.js';
import { drawFeatures, type EyesState } from './features.js';
import { drawHair } from './hair.js';
import { drawHead } from './head.js';
import { type Sitter, SKIN } from './look.js';

/** Where the middle of the head is: high enough for a card that is cut to a square and has words at its foot. */
const HEAD = { x: 360, y: 396, scale: 1.06 };
const CARD: Frame = { x: 0, y: 0, width: 720, height: 960 };
const AVATAR: Frame = { x: 80, y: 116, width: 560, height: 560 };

/** The whole picture, for a card. */
export const cardPortrait = (sitter: Sitter, width: number): string =>
  svgDocument(CARD, width, backdropOf(sitter) + personOf(sitter, 'open') + vignette(CARD));

/** The face, square. */
export const avatarPortrait = (sitter: Sitter, width: number): string =>
  svgDocument(AVATAR, width, backdropOf(sitter) + personOf(sitter, 'open') + vignette(AVATAR));

/** The person alone, on nothing, for moving pictures. */
export const personLayer = (sitter: Sitter, width: number, eyes: EyesState): string =>
  svgDocument(CARD, width, personOf(sitter, eyes));

/** What is behind the person, wider than the card by a quarter. */
export const backdropLayer = (sitter: Sitter, width: number): string =>
  svgDocument(AREA, Math.round((width * AREA.width) / CARD.width), backdropOf(sitter) + vignette(AREA));

const backdropOf = ({ look, mood, seed }: Sitter): string => drawBackdrop(look.backdrop, mood, seed);

function personOf({ look, mood, seed }: Sitter, eyes: EyesState): string {
  const skin = SKIN[look.skin];
  const hair = drawHair(look.hair.style, look.hair.color, seed);
  const brow = look.hair.style === 'hijab' ? '#2b1d1a' : look.hair.color;
  const { glow, near } = MOOD_COLORS[mood];
  const defs =
    blur('soft', 14) +
    blur('softer', 5) +
    linearGradient(
      'cheekShade',
      [
        { at: 0, color: skin.shade, opacity: 0.75 },
        { at: 0.4, color: skin.shade, opacity: 0 },
      ],
      'right',
    ) +
    linearGradient(
      'rim',
      [
        { at: 0.55, color: glow, opacity: 0 },
        { at: 1, color: glow, opacity: 0.85 },
      ],
      'right',
    ) +
    linearGradient('bustShade', [
      { at: 0.1, color: near, opacity: 0 },
      { at: 1, color: near, opacity: 0.6 },
    ]) +
    linearGradient('hairShine', [
      { at: 0, color: '#fff', opacity: 0.2 },
      { at: 0.3, color: '#fff', opacity: 0.02 },
      { at: 1, color: '#000', opacity: 0.25 },
    ]) +
    radialGradient('iris', [
      { at: 0.3, color: '#fff', opacity: 0.12 },
      { at: 1, color: '#000', opacity: 0.45 },
    ]);
  return (
    `<defs>${defs}</defs><g transform="translate(${HEAD.x},${HEAD.y}) scale(${HEAD.scale})">${hair.back}${drawBust(look, skin)}${drawHead(look, skin)}` +
    `${drawFeatures({ look, skin, brow, eyes, seed })}${hair.front}</g>`
  );
}

/** Darkens the edges a little. */
function vignette({ x, y, width, height }: Frame): string {
  const fade = radialGradient('vignette', [
    { at: 0.62, color: '#05040c', opacity: 0 },
    { at: 1, color: '#05040c', opacity: 0.5 },
  ]);
  const grown = `x="${x - width * 0.15}" y="${y - height * 0.15}" width="${width * 1.3}" height="${height * 1.3}"`;
  return `<defs>${fade}</defs><rect ${grown} fill="url(#vignette)"/>`;
}
