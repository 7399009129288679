/** Cards are loaded in batches of this size (rule discovery-6). */
export const BATCH = 12;
/** The server returns at most this many at once (rule general-12). */
export const CARDS_MAX = 100;
const BATCHES_MAX = Math.floor(CARDS_MAX / BATCH);

/** A part of the grid, in whole batches. */
export interface VisiblePart {
  offset: number;
  limit: number;
}

/**
 * What is on the screen, in whole batches, so that a little scrolling repeats the same request.
 * @param first position of the first card
 * @param last the position after the last card
 */
export function visiblePart(first: number, last: number): VisiblePart {
  if (last <= first) return { offset: 0, limit: 0 };
  const begin = Math.floor(first / BATCH);
  const batches = Math.ceil(last / BATCH) - begin;
  return { offset: begin * BATCH, limit: Math.min(batches, BATCHES_MAX) * BATCH };
}
