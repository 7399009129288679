import { Money } from '@app/domain';
import { ValidateBy, type ValidationOptions } from 'class-validator';

const CODE = { code: 'INVALID_AMOUNT' };

/** Minor units of an amount that `IsNovaAmount` accepted. */
export const toMinor = (nova: number): bigint => Money.fromNumber(nova).minor;

/** The decimal number that the API carries for minor units of Nova (rule general-1). */
export const toNova = (minor: bigint): number => Money.ofMinor(minor).toNumber();

/** Minor units of a JSON number with at most two decimals; undefined for anything else, including text with digits. */
function readMinor(value: unknown): bigint | undefined {
  if (typeof value !== 'number') return undefined;
  try {
    return toMinor(value);
  } catch {
    return undefined;
  }
}

/** A JSON number of Nova with at most two decimals that a double holds exactly (rule general-1). */
export const IsNovaAmount = (options: ValidationOptions = {}): PropertyDecorator =>
  ValidateBy(
    { name: 'isNovaAmount', validator: { validate: (value: unknown) => readMinor(value) !== undefined } },
    { message: 'The amount must be a number with at most 2 decimals.', context: CODE, ...options },
  );

/**
 * Accepts amounts from `min` to `max` in minor units, both included, where given. `IsNovaAmount` refuses values that
 * are no amounts.
 */
export function NovaWithin(
  { min, max }: { readonly min?: bigint; readonly max?: bigint },
  message: string,
): PropertyDecorator {
  const validate = (value: unknown): boolean => {
    const minor = readMinor(value);
    if (minor === undefined) return true;
    return (min === undefined || minor >= min) && (max === undefined || minor <= max);
  };
  return ValidateBy({ name: 'novaWithin', validator: { validate } }, { message, context: CODE });
}
