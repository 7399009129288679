import { excessOf, type ShapeLimits } from './shape.js';

const LIMITS: ShapeLimits = { depthMax: 3, keysMax: 4, itemsMax: 5, nodesMax: 8 };

describe('how large a value may be', () => {
  it.each([
    ['no object at all', 'x'.repeat(1_000), undefined],
    ['as many keys as may be', { a: 1, b: 2, c: 3, d: 4 }, undefined],
    ['one key too many', { a: 1, b: 2, c: 3, d: 4, e: 5 }, 'keys'],
    ['as many items as may be', [1, 2, 3, 4, 5], undefined],
    ['one item too many', [1, 2, 3, 4, 5, 6], 'items'],
    ['as deep as may be', { a: { b: { c: 1 } } }, undefined],
    ['one level too deep', { a: { b: { c: {} } } }, 'depth'],
    ['parts that are each small enough, and too many', [[1, 2, 3], [1, 2], [1]], 'nodes'],
    ['keys that JSON may have', JSON.parse('{"a":{"constructor":1,"toString":2}}'), undefined],
  ])('%s', (_, value, excess) => {
    expect(excessOf(value, LIMITS)).toBe(excess);
  });

  it('looks at no more than it may', () => {
    let looks = 0;
    const counting = new Proxy<Record<string, number>>(
      {},
      {
        ownKeys: () => Array.from({ length: 100_000 }, (_, index) => `k${index}`),
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
        get: () => (looks += 1),
      },
    );
    expect(excessOf(counting, LIMITS)).toBe('keys');
    expect(looks).toBe(LIMITS.keysMax);
  });
});
