/** A number as SVG wants it: short, and the same everywhere. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A list of shapes, one after another. */
export const shapes = (list: readonly (string | undefined | false)[]): string =>
  list.filter((shape) => shape !== undefined && shape !== false).join('');

export interface Stop {
  readonly at: number;
  readonly color: string;
  readonly opacity?: number;
}

const stopTags = (stops: readonly Stop[]): string =>
  stops
    .map(({ at, color, opacity = 1 }) => `<stop offset="${at}" stop-color="${color}" stop-opacity="${opacity}"/>`)
    .join('');

/** From top to bottom, unless `sideways`. */
export const linearGradient = (id: string, stops: readonly Stop[], direction: 'down' | 'right' = 'down'): string =>
  `<linearGradient id="${id}" x1="0" y1="0" ${direction === 'down' ? 'x2="0" y2="1"' : 'x2="1" y2="0"'}>${stopTags(stops)}</linearGradient>`;

export const radialGradient = (id: string, stops: readonly Stop[]): string =>
  `<radialGradient id="${id}">${stopTags(stops)}</radialGradient>`;

export const blur = (id: string, deviation: number): string =>
  `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`;

export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A whole picture: `frame` is what is seen of the drawing, `width` how many pixels wide it becomes. */
export function svgDocument(frame: Frame, width: number, drawing: string): string {
  const height = Math.round((width * frame.height) / frame.width);
  const box = `${frame.x} ${frame.y} ${frame.width} ${frame.height}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">${drawing}</svg>`;
}
