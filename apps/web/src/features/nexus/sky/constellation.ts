import { forceCollide, forceManyBody, forceRadial, forceSimulation, type SimulationNodeDatum } from 'd3-force';

export interface Point {
  x: number;
  y: number;
}

export interface SkySize {
  width: number;
  height: number;
}

/** Space around the centre, and for the names at the edge, in pixels. */
const CENTRE_CLEARANCE = 96;
const EDGE_MARGIN = 56;
/** Nodes at this distance have room for a name beneath each; with more nodes, they move closer together. */
const ROOMY_SPACING = 46;
const DENSE_SPACING = 24;
/** Up to this many nodes, every node has its name beneath it. */
export const NAMED_NODES_MAX = 12;
/** Limits the stretch, so that a few nodes do not fill the whole sky. */
const STRETCH_MAX = 1.9;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const TICKS = 220;

type Star = SimulationNodeDatum & Point;

/**
 * The places of `count` nodes around a centre at 0, 0: pushed apart by d3-force until they rest, then stretched to the
 * sky's shape. The same count and size always give the same places.
 */
export function placeNodes(count: number, { width, height }: SkySize): Point[] {
  const spacing = count <= NAMED_NODES_MAX ? ROOMY_SPACING : DENSE_SPACING;
  const stars = Array.from({ length: count }, (_, index): Star => {
    const [angle, distance] = [index * GOLDEN_ANGLE - Math.PI / 2, CENTRE_CLEARANCE + index * 2];
    return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance };
  });
  forceSimulation(stars)
    .force('apart', forceManyBody<Star>().strength(-spacing))
    .force('room', forceCollide<Star>(spacing).iterations(2))
    // Newer blocks are nearer; every second one is a little further out, so that names do not form one line.
    .force('centre', forceRadial<Star>((_, index) => CENTRE_CLEARANCE + (index % 2) * spacing, 0, 0).strength(0.4))
    .stop()
    .tick(TICKS);
  return fitted(stars, { width, height });
}

/** Each of the four sides is stretched separately, so that the sky is filled evenly. */
function fitted(stars: readonly Star[], { width, height }: SkySize): Point[] {
  const [across, down] = [width / 2 - EDGE_MARGIN, height / 2 - EDGE_MARGIN];
  const stretch = (reach: readonly number[], room: number): number =>
    Math.min(STRETCH_MAX, Math.max(room, 0) / Math.max(1, ...reach));
  const [right, left] = [
    stretch(
      stars.map(({ x }) => x),
      across,
    ),
    stretch(
      stars.map(({ x }) => -x),
      across,
    ),
  ];
  const [below, above] = [
    stretch(
      stars.map(({ y }) => y),
      down,
    ),
    stretch(
      stars.map(({ y }) => -y),
      down,
    ),
  ];
  return stars.map(({ x, y }) => ({ x: x * (x > 0 ? right : left), y: y * (y > 0 ? below : above) }));
}

const RADIUS_MAX = 18;
const RADIUS_MIN = 6;

/** The largest radius at which nodes at these places do not touch. */
export function nodeRadius(points: readonly Point[]): number {
  let least = Infinity;
  for (const [index, a] of points.entries()) {
    for (const b of points.slice(index + 1)) least = Math.min(least, Math.hypot(a.x - b.x, a.y - b.y));
  }
  return Math.min(RADIUS_MAX, Math.max(RADIUS_MIN, Math.floor(least * 0.4)));
}

/** The index of the nearest point within `radius` of a place; −1 if there is none. */
export function nearest(points: readonly Point[], { x, y }: Point, radius: number): number {
  let [found, best] = [-1, radius];
  for (const [index, point] of points.entries()) {
    const distance = Math.hypot(point.x - x, point.y - y);
    if (distance <= best) [found, best] = [index, distance];
  }
  return found;
}
