import { MOOD_COLORS } from './moods.js';
import { type Clip, CLIP_SECONDS, renderClip, swing } from './clip.js';
import { SeededRandom } from './seeded-random.js';
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
  const clip: Clip = {
    width: WIDTH,
    height: HEIGHT,
    layers: [
      { png: backdrop, x: `-60+${swing(34)}`, y: `-26+${swing(8)}` },
      { png: open, ...breath },
      { png: closed, ...breath, shown: blinks(sitter.seed) },
      { png: sparks, y: `-${HEIGHT}*t/${CLIP_SECONDS}` },
    ],
  };
  return renderClip(clip);
}

/** When the eyes are closed: nobody blinks in time with others. */
function blinks(seed: string): string {
  const random = new SeededRandom(`${seed} blinks`);
  const [once, twice] = [random.between(0.4, 1.5), random.between(2, 3)];
  const closed = [
    [once, 0.15],
    [twice, 0.1],
    [twice + 0.26, 0.1],
  ].map(([from = 0, length = 0]) => `between(t,${from.toFixed(2)},${(from + length).toFixed(2)})`);
  return closed.join('+');
}
