import { CLIP_SECONDS, renderClip, swing } from '../clip.js';
import { MOOD_COLORS } from '../moods.js';
import { renderPng } from '../render.js';
import { drawSparks } from '../sparks.js';
import { svgDocument } from '../svg.js';
import { type Painting, paintScene } from './scene.js';

const SIDE = 480;
/** The planes are drawn wider than the clip, so that they can move. */
const PLANE = { x: -60, y: -30, width: 840, height: 780 };
const SCALE = SIDE / 720;

/** A scene whose planes glide against each other while light rises. */
export async function movingScene(painting: Painting): Promise<Buffer> {
  const { back, front } = paintScene(painting);
  const plane = (drawing: string): Promise<Buffer> =>
    renderPng(svgDocument(PLANE, Math.round(PLANE.width * SCALE), drawing));
  const [far, near, sparks] = await Promise.all([
    plane(back),
    plane(front),
    renderPng(drawSparks(painting.seed, MOOD_COLORS[painting.mood], { width: SIDE, height: SIDE })),
  ]);
  const [left, top] = [PLANE.x * SCALE, PLANE.y * SCALE];
  return renderClip({
    width: SIDE,
    height: SIDE,
    layers: [
      { png: far, x: `${left}+${swing(30)}`, y: `${top}+${swing(7)}` },
      { png: near, x: `${left}+${swing(-9)}`, y: `${top}+${swing(5, 2)}` },
      { png: sparks, y: `-${SIDE}*t/${CLIP_SECONDS}` },
    ],
  });
}
