/** Cents as dollars: `-1234.50`. */
export const dollarText = (cents: bigint): string => decimals(cents, 2);

/** Micro-dollars as dollars, exact: `80.010000`. */
export const exactDollars = (micros: bigint): string => decimals(micros, 6);

function decimals(amount: bigint, places: number): string {
  const digits = String(amount < 0n ? -amount : amount).padStart(places + 1, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
