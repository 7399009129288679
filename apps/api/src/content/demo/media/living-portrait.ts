import { MOOD_COLORS } from './moods.js';
import { type Clip, CLIP_SECONDS, renderClip, swing } from './clip.js';
import { drawSparks } from './sparks.js';
import { backdropLayer, personLayer } from './portrait/portrait.js';
import type { Sitter } from './portrait/look.js';
import { renderPng } from './render.js';

const WIDTH = 480;
const HEIGHT = 640;

/** A portrait that breathes and blinks under a drifting sky. */
export async function livingPortrait(sitter: Sitter): Promise<Buffer> {
  const [backdrop, open, closed, sparks] = await Promise.all([
    renderPng(backdropLayer(sitter, WIDTH)),
    renderPng(personLayer(sitter, WIDTH, 'open')),
    renderPng(personLayer(sitter, WIDTH, 'closed')),
    renderPng(drawSparks(sitter.seed, MOOD_COLORS[sitter.mood], { width: WIDTH, height: HEIGHT })),
  ]);
  const breath = { x: swing(2.4), y: `5+${swing(3.2, 2)}` };
  const blink = 'between(t,1.2,1.35)+between(t,2.8,2.9)+between(t,3.05,3.15)';
  const clip: Clip = {
    width: WIDTH,
    height: HEIGHT,
    layers: [
      { png: backdrop, x: `-60+${swing(34)}`, y: `-26+${swing(8)}` },
      { png: open, ...breath },
      { png: closed, ...breath, shown: blink },
      { png: sparks, y: `-${HEIGHT}*t/${CLIP_SECONDS}` },
    ],
  };
  return renderClip(clip);
}
