/**
 * A sum that halves in every half-life, stored so that time alone never changes it: as the binary logarithm of its
 * value at the epoch. A value that is higher now is higher at any time, so an index over it keeps the right order.
 */
export function addDecaying(
  heat: number | null,
  added: { readonly amount: number; readonly atMs: number; readonly halfLifeMs: number },
): number | null {
  if (added.amount <= 0) return heat;
  const more = added.atMs / added.halfLifeMs + Math.log2(added.amount);
  if (heat === null) return more;
  const [high, low] = heat > more ? [heat, more] : [more, heat];
  return high + Math.log2(1 + 2 ** (low - high));
}

/** The value of such a sum at a time; 0 for nothing. */
export const decayedValue = (heat: number | null, atMs: number, halfLifeMs: number): number =>
  heat === null ? 0 : 2 ** (heat - atMs / halfLifeMs);
