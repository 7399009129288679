import { describe, expect, it } from '@jest/globals';
import { type Point, SETTLES_MS, Standing } from './standing';

const at = (left: number, coveredAt: Point | null = null) => ({
  box: { left, right: left + 40, top: 0, bottom: 40 },
  coveredAt,
});
const POINT = { x: 20, y: 20 };

describe('how long a control has stood under the pointer', () => {
  it('pays once it has stood for the whole time', () => {
    const standing = new Standing();
    standing.isAt(at(0), 1_000);
    expect(standing.hasBeenUnder(POINT, 1_000 + SETTLES_MS - 1)).toBe(false);
    expect(standing.hasBeenUnder(POINT, 1_000 + SETTLES_MS)).toBe(true);
    expect(standing.hasBeenUnder({ x: 41, y: 20 }, 9_000)).toBe(false);
  });

  it('counts from the moment at which it moved under the pointer', () => {
    const standing = new Standing();
    standing.isAt(at(100), 0);
    standing.isAt(at(0), 5_000);
    expect(standing.hasBeenUnder(POINT, 5_100)).toBe(false);
    expect(standing.hasBeenUnder(POINT, 5_000 + SETTLES_MS)).toBe(true);
  });

  it('remembers that it was away for a moment, also after many moves', () => {
    const standing = new Standing();
    standing.isAt(at(0), 0);
    standing.isAt(at(100), 5_000);
    for (const [index, left] of [0, 1, 2, 3].entries()) standing.isAt(at(left), 5_010 + index);
    expect(standing.hasBeenUnder(POINT, 5_100)).toBe(false);
    expect(standing.hasBeenUnder(POINT, 5_010 + SETTLES_MS)).toBe(true);
  });

  it('may move and grow a little, as long as the pointer stays on it', () => {
    const standing = new Standing();
    standing.isAt(at(0), 0);
    standing.isAt(at(10), 5_000);
    standing.isAt({ box: { ...at(10).box, right: 90 }, coveredAt: null }, 5_100);
    expect(standing.hasBeenUnder(POINT, 5_200)).toBe(true);
  });

  it('did not stand there while something covered it, or while it was another control', () => {
    const standing = new Standing();
    standing.isAt(at(0), 0);
    standing.isAt(at(0, { x: 22, y: 22 }), 5_000);
    standing.isAt(at(0), 5_100);
    expect(standing.hasBeenUnder(POINT, 5_200)).toBe(false);
    // Where it was in sight.
    expect(standing.hasBeenUnder({ x: 39, y: 39 }, 5_200)).toBe(true);
    expect(standing.hasBeenUnder(POINT, 6_000)).toBe(true);
    standing.forget();
    standing.isAt(at(0), 6_000);
    expect(standing.hasBeenUnder(POINT, 6_100)).toBe(false);
  });
});
