/** The largest shape of a JSON value, independent of its bytes. */
export interface ShapeLimits {
  readonly depthMax: number;
  /** Keys of one object. */
  readonly keysMax: number;
  /** Items of one list. */
  readonly itemsMax: number;
  /** Keys and items of the whole. */
  readonly nodesMax: number;
}

/** Which limit a value exceeds. */
export type Excess = 'depth' | 'keys' | 'items' | 'nodes';

/**
 * What JSON brought too much of, or undefined where it fits. Whoever walks through a value later does work for each of its parts,
 * and for some libraries the work grows with the square of them: this looks at no more parts than the limits allow.
 */
export function excessOf(value: unknown, limits: ShapeLimits): Excess | undefined {
  let nodes = 0;
  const look = (each: unknown, depthLeft: number): Excess | undefined => {
    if (typeof each !== 'object' || each === null) return undefined;
    if (depthLeft === 0) return 'depth';
    if (Array.isArray(each) && each.length > limits.itemsMax) return 'items';
    let keys = 0;
    for (const key in each) {
      keys += 1;
      nodes += 1;
      if (!Array.isArray(each) && keys > limits.keysMax) return 'keys';
      if (nodes > limits.nodesMax) return 'nodes';
      const excess = look(Reflect.get(each, key), depthLeft - 1);
      if (excess) return excess;
    }
    return undefined;
  };
  return look(value, limits.depthMax);
}
