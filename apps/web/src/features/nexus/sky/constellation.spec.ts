import { describe, expect, test } from '@jest/globals';
import { NAMED_NODES_MAX, nearest, nodeRadius, placeNodes } from './constellation';

const DESK = { width: 780, height: 600 };
const PHONE = { width: 358, height: 600 };

describe('placing nodes around the centre', () => {
  test.each([1, 2, 3, 7, 12, 13, 40, 60])('%d of them stay inside, off the centre and apart', (count) => {
    for (const size of [DESK, PHONE]) {
      const points = placeNodes(count, size);
      expect(points).toHaveLength(count);
      for (const { x, y } of points) {
        expect(Math.abs(x)).toBeLessThanOrEqual(size.width / 2 - 55);
        expect(Math.abs(y)).toBeLessThanOrEqual(size.height / 2 - 55);
        // The centre is drawn with a radius of 28.
        expect(Math.hypot(x, y)).toBeGreaterThan(40);
      }
      // Large enough to be seen and pressed, and clear of each other: a radius is 0.4 of the least distance.
      expect(nodeRadius(points)).toBeGreaterThanOrEqual(count <= NAMED_NODES_MAX ? 18 : 8);
    }
  });

  test('nodes are smaller where they are close', () => {
    expect(nodeRadius([{ x: 0, y: 0 }])).toBe(18);
    const pair = (distance: number) => [
      { x: 0, y: 0 },
      { x: 0, y: distance },
    ];
    expect([100, 30, 5].map((distance) => nodeRadius(pair(distance)))).toEqual([18, 12, 6]);
  });

  test('the same sky every time', () => {
    expect(placeNodes(9, DESK)).toEqual(placeNodes(9, DESK));
    expect(placeNodes(0, DESK)).toEqual([]);
  });
});

describe('what is under the pointer', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 30, y: 0 },
  ];
  test('is the nearest node within the radius', () => {
    expect(nearest(points, { x: 16, y: 0 }, 20)).toBe(1);
    expect(nearest(points, { x: 14, y: 0 }, 20)).toBe(0);
    expect(nearest(points, { x: 30, y: 20 }, 20)).toBe(1);
  });
  test('is nothing further away', () => {
    expect(nearest(points, { x: 30, y: 20.1 }, 20)).toBe(-1);
    expect(nearest([], { x: 0, y: 0 }, 20)).toBe(-1);
  });
});
