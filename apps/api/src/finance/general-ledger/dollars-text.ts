/** Cents for people: `-1,234.50`. */
export function dollarsText(cents: bigint): string {
  const size = cents < 0n ? -cents : cents;
  const whole = String(size / 100n).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0n ? '-' : ''}${whole}.${String(size % 100n).padStart(2, '0')}`;
}

/** Micro-dollars with all their decimals: `80.010000`. */
export function exactDollars(micros: bigint): string {
  const size = micros < 0n ? -micros : micros;
  return `${micros < 0n ? '-' : ''}${size / 1_000_000n}.${String(size % 1_000_000n).padStart(6, '0')}`;
}
