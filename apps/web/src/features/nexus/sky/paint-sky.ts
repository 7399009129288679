import { initialOf } from '@/shared/ui';
import type { Point, SkySize } from './constellation';
import { paintLabel, shortened } from './paint-text';

interface FaintStar extends Point {
  radius: number;
  brightness: number;
}

/** One faint star per this many square pixels. */
const AREA_PER_STAR = 2_200;
const SEED = 20_260_101;

/** A still background of faint stars; the same size always gives the same stars. */
function starField({ width, height }: SkySize): FaintStar[] {
  const random = mulberry32(SEED);
  return Array.from({ length: Math.floor((width * height) / AREA_PER_STAR) }, () => ({
    x: random() * width,
    y: random() * height,
    radius: 0.4 + random() ** 3 * 1.1,
    brightness: 0.15 + random() ** 2 * 0.55,
  }));
}

/** A small seeded generator of numbers from 0 to below 1, by Tommy Ettinger. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface SkyNode {
  name: string;
  image: HTMLImageElement | undefined;
  /** The custom property of the mood's colour. */
  moodToken: string;
  line: 'karma' | 'influence';
}

/** The centre, a node by its index, or nothing. */
export type SkyTarget = 'centre' | number | null;

export interface SkyPainting {
  size: SkySize;
  /** Device pixels per CSS pixel. */
  ratio: number;
  centre: Pick<SkyNode, 'name' | 'image'>;
  nodes: readonly SkyNode[];
  /** Relative to the centre. */
  points: readonly Point[];
  radius: number;
  /** Whether every node has its name beneath it. */
  named: boolean;
  hovered: SkyTarget;
}

export const CENTRE_RADIUS = 28;
const LINE_TOKENS = { karma: '--color-karma', influence: '--color-influence' };
/** Colour is never the only sign of a meaning. */
const LINE_DASHES = { karma: [], influence: [3, 5] };
const GLOW = 18;
const HOVER_GROWTH = 1.15;
const NAME_WIDTH_MAX = 96;

/** Paints a member's sky of threads: faint stars, lines to the centre, a glowing node for each thread, names. */
export function paintSky(context: CanvasRenderingContext2D, painting: SkyPainting): void {
  const { size, ratio, nodes, points, hovered } = painting;
  const colour = colourReader(context.canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  paintStars(context, size, colour('--color-ink'));
  context.translate(size.width / 2, size.height / 2);
  for (const [index, node] of nodes.entries()) {
    const point = points[index];
    if (point) paintLine(context, { point, node, isHovered: hovered === index }, colour);
  }
  for (const [index, node] of nodes.entries()) {
    const point = points[index];
    if (point) paintNode(context, { ...painting, point, node, isHovered: hovered === index }, colour);
  }
  paintCentre(context, painting, colour);
  paintHoveredName(context, painting, colour);
}

type Colour = (token: string) => string;

/** Reads colours from the design tokens. */
function colourReader(canvas: HTMLCanvasElement): Colour {
  const style = getComputedStyle(canvas);
  return (token) => style.getPropertyValue(token).trim();
}

function paintStars(context: CanvasRenderingContext2D, size: SkySize, ink: string): void {
  context.fillStyle = ink;
  for (const { x, y, radius, brightness } of starField(size)) {
    context.globalAlpha = brightness;
    disc(context, { x, y }, radius);
    context.fill();
  }
  context.globalAlpha = 1;
}

interface OneNode {
  point: Point;
  node: SkyNode;
  isHovered: boolean;
}

function paintLine(context: CanvasRenderingContext2D, { point, node, isHovered }: OneNode, colour: Colour): void {
  context.save();
  context.strokeStyle = colour(LINE_TOKENS[node.line]);
  context.globalAlpha = isHovered ? 0.95 : 0.45;
  context.lineWidth = isHovered ? 2 : 1.25;
  context.lineCap = 'round';
  context.setLineDash(LINE_DASHES[node.line]);
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(point.x, point.y);
  context.stroke();
  context.restore();
}

function paintNode(
  context: CanvasRenderingContext2D,
  { point, node, isHovered, radius, named }: OneNode & Pick<SkyPainting, 'radius' | 'named'>,
  colour: Colour,
): void {
  const grown = isHovered ? radius * HOVER_GROWTH : radius;
  const mood = colour(node.moodToken);
  paintOrb(context, { point, radius: grown, ring: mood, fill: colour('--color-sky-800') });
  paintFace(context, { ...node, point, radius: grown - 3, ink: mood });
  if (!named || isHovered) return;
  context.font = '500 12px "Inter Variable", sans-serif';
  context.fillStyle = colour('--color-ink-muted');
  context.textAlign = 'center';
  context.textBaseline = 'top';
  const [name, top] = [shortened(context, node.name, NAME_WIDTH_MAX), point.y + grown + 8];
  // A dark edge keeps lines out of the letters.
  context.strokeStyle = colour('--color-sky-800');
  context.lineJoin = 'round';
  context.lineWidth = 5;
  context.strokeText(name, point.x, top);
  context.fillText(name, point.x, top);
}

function paintCentre(context: CanvasRenderingContext2D, painting: SkyPainting, colour: Colour): void {
  const nova = colour('--color-nova');
  const radius = painting.hovered === 'centre' ? CENTRE_RADIUS * HOVER_GROWTH : CENTRE_RADIUS;
  const point = { x: 0, y: 0 };
  paintOrb(context, { point, radius, ring: nova, fill: colour('--color-sky-700') });
  paintFace(context, { ...painting.centre, point, radius: radius - 3, ink: nova });
}

function paintHoveredName(context: CanvasRenderingContext2D, painting: SkyPainting, colour: Colour): void {
  const { hovered, nodes, points, size, radius } = painting;
  if (hovered === null) return;
  const [point, name] =
    hovered === 'centre' ? [{ x: 0, y: 0 }, 'Personal Blockchain'] : [points[hovered], nodes[hovered]?.name];
  if (point === undefined || name === undefined) return;
  const below = hovered === 'centre' ? CENTRE_RADIUS : radius;
  paintLabel(context, {
    text: name,
    at: { x: point.x, y: point.y + below * HOVER_GROWTH + 6 },
    size,
    ink: colour('--color-ink'),
    surface: colour('--color-sky-700'),
    line: colour('--color-line-strong'),
  });
}

interface Orb {
  point: Point;
  radius: number;
  ring: string;
  fill: string;
}

function paintOrb(context: CanvasRenderingContext2D, { point, radius, ring, fill }: Orb): void {
  context.save();
  context.shadowColor = ring;
  context.shadowBlur = GLOW;
  context.fillStyle = ring;
  disc(context, point, radius);
  context.fill();
  context.restore();
  context.fillStyle = fill;
  disc(context, point, radius - 2.5);
  context.fill();
}

interface Face {
  name: string;
  image: HTMLImageElement | undefined;
  point: Point;
  radius: number;
  ink: string;
}

/** The portrait, or else the initial (rule screens-12). Small nodes are filled with their colour instead. */
function paintFace(context: CanvasRenderingContext2D, { name, image, point, radius, ink }: Face): void {
  if (image !== undefined) {
    const side = Math.min(image.naturalWidth, image.naturalHeight);
    const [left, top] = [(image.naturalWidth - side) / 2, (image.naturalHeight - side) / 2];
    context.save();
    disc(context, point, radius);
    context.clip();
    context.drawImage(image, left, top, side, side, point.x - radius, point.y - radius, radius * 2, radius * 2);
    context.restore();
    return;
  }
  context.fillStyle = ink;
  if (radius < 8) {
    disc(context, point, radius);
    context.fill();
    return;
  }
  context.font = `600 ${Math.round(radius * 0.95)}px "Sora Variable", sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(initialOf(name), point.x, point.y + 1);
}

function disc(context: CanvasRenderingContext2D, { x, y }: Point, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
}
