import type { Point, SkySize } from './constellation';

/** The text, or as many whole characters from its start as fit. */
export function shortened(
  context: Pick<CanvasRenderingContext2D, 'measureText'>,
  text: string,
  widthMax: number,
): string {
  if (context.measureText(text).width <= widthMax) return text;
  const characters = Array.from(text);
  while (characters.length > 1) {
    characters.pop();
    const shorter = `${characters.join('').trimEnd()}…`;
    if (context.measureText(shorter).width <= widthMax) return shorter;
  }
  return '…';
}

export interface Label {
  text: string;
  /** The middle of its upper edge, relative to the sky's middle. */
  at: Point;
  size: SkySize;
  ink: string;
  surface: string;
  line: string;
}

const PADDING = 10;
const HEIGHT = 28;
const RADIUS = 8;
/** The distance to the edge of the sky. */
const MARGIN = 8;

/** Paints a name on its own background, inside the sky. */
export function paintLabel(context: CanvasRenderingContext2D, { text, at, size, ink, surface, line }: Label): void {
  context.font = '600 13px "Inter Variable", sans-serif';
  const shown = shortened(context, text, Math.min(size.width - 2 * (MARGIN + PADDING), 280));
  const width = context.measureText(shown).width + 2 * PADDING;
  const [right, bottom] = [size.width / 2 - MARGIN, size.height / 2 - MARGIN];
  const x = Math.min(Math.max(at.x - width / 2, -right), right - width);
  const y = Math.min(at.y, bottom - HEIGHT);
  context.fillStyle = surface;
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x, y, width, HEIGHT, RADIUS);
  context.fill();
  context.stroke();
  context.fillStyle = ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(shown, x + width / 2, y + HEIGHT / 2 + 1);
}
