import { NOVA_PER_DOLLAR } from '@app/domain';

/** The price of a top-up of whole Nova in US cents, rounded up (rule wallet-10). */
export function chargeCents(wholeNova: number): number {
  return Math.ceil((wholeNova * 100) / NOVA_PER_DOLLAR);
}

/**
 * The Nova (minor units) to reverse once this many cents of a charge have gone back in all. In proportion and rounded
 * down, so that parts never take more than the whole and the last part takes the rest (rule wallet-16).
 */
export function reversedNova({
  purchased,
  chargedCents,
  returnedCents,
}: {
  readonly purchased: bigint;
  readonly chargedCents: number;
  readonly returnedCents: number;
}): bigint {
  const returned = BigInt(Math.min(returnedCents, chargedCents));
  return (purchased * returned) / BigInt(chargedCents);
}
