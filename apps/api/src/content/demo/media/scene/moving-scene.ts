import { renderClip } from '../clip.js';
import { renderPng } from '../render.js';
import { drawScene, type Painting } from './scene.js';

export async function movingScene(painting: Painting): Promise<Buffer> {
  return renderClip({ width: 480, height: 480, layers: [{ png: await renderPng(drawScene(painting, 480)) }] });
}
