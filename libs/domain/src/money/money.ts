import { MINOR_UNITS, type Currency } from '../ledger/currencies.js';

const DECIMAL = /^(-)?(\d{1,18})(?:\.(\d{1,2}))?$/;

/** Below this, doubles are denser than hundredths, so each amount has its own number. */
export const NUMBER_MAX = 2 ** 46;

/** A text or number that is not an amount. */
export class InvalidMoney extends Error {
  override readonly name = 'InvalidMoney';
}

/** An amount of one currency in minor units (1 Nova = 100), as it is read and written. Sums are made of `minor`. */
export class Money {
  private constructor(
    readonly minor: bigint,
    readonly currency: Currency,
  ) {}

  static ofMinor(minor: bigint, currency: Currency = 'NOVA'): Money {
    return new Money(minor, currency);
  }

  /**
   * Reads `1250`, `1,250`, `-0.5` or `12.34`. Thousands separators are accepted in groups of three.
   * @throws InvalidMoney anything else, more decimals than the currency has included
   */
  static parse(text: string, currency: Currency = 'NOVA'): Money {
    const trimmed = text.trim();
    const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
    const match = DECIMAL.exec(plain);
    if (!match) throw new InvalidMoney(`"${text}" is not an amount with at most 2 decimals`);
    const [, sign, whole = '0', fraction = ''] = match;
    const units = MINOR_UNITS[currency];
    const scaled = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0'));
    if ((scaled * units) % 100n !== 0n) throw new InvalidMoney(`${currency} has no such fraction as "${text}"`);
    const minor = (scaled * units) / 100n;
    return new Money(sign ? -minor : minor, currency);
  }

  /**
   * Reads a JSON number in its printed form.
   * @throws InvalidMoney for NaN, infinities, more than two decimals, or amounts of which a double cannot hold the
   * cents
   */
  static fromNumber(value: number, currency: Currency = 'NOVA'): Money {
    // In this form the check also rejects NaN.
    if (!(Math.abs(value) < NUMBER_MAX)) throw new InvalidMoney(`${value} is not an amount`);
    return Money.parse(String(value), currency);
  }

  /** The decimal number that the API carries. Exact below `NUMBER_MAX`. */
  toNumber(): number {
    return Number(this.minor) / Number(MINOR_UNITS[this.currency]);
  }

  /** `12500.00`, without separators: for exports, and read back by `parse`. */
  toDecimal(): string {
    const units = MINOR_UNITS[this.currency];
    const size = this.minor < 0n ? -this.minor : this.minor;
    const sign = this.minor < 0n ? '-' : '';
    if (units === 1n) return `${sign}${size}`;
    return `${sign}${size / units}.${String(size % units).padStart(2, '0')}`;
  }

  /** `12,500.00`, for people. */
  toString(): string {
    const [whole = '0', fraction] = this.toDecimal().split('.');
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
    return fraction === undefined ? grouped : `${grouped}.${fraction}`;
  }
}

/** An amount for people: `1,250 Nova`, `0.50 Nova`. */
export const novaText = (minor: bigint): string => `${Money.ofMinor(minor).toString().replace(/\.00$/, '')} Nova`;

/**
 * Splits an amount by the largest-remainder method: every part is its exact share rounded down, and what is left over goes,
 * one minor unit each, to the parts that lost most; ties in the listed order (rule ledger-10).
 * @throws InvalidMoney for a negative amount, a negative weight, or weights that are all zero
 */
export function splitByWeights(minor: bigint, weights: readonly bigint[]): bigint[] {
  let total = 0n;
  for (const weight of weights) {
    if (weight < 0n) throw new InvalidMoney(`cannot split ${minor} by ${weights.join(':')}`);
    total += weight;
  }
  if (minor < 0n || total === 0n) throw new InvalidMoney(`cannot split ${minor} by ${weights.join(':')}`);
  let left = minor;
  const parts = weights.map((weight) => {
    const part = (minor * weight) / total;
    left -= part;
    return part;
  });
  if (left > 0n) handOut(left, parts, (index) => (minor * (weights[index] ?? 0n)) % total);
  return parts;
}

/** One unit more for each of the `left` parts that lost most by rounding; a sort leaves ties in the listed order. */
function handOut(left: bigint, parts: bigint[], lostBy: (index: number) => bigint): void {
  const lost = parts.map((_, index) => ({ index, by: lostBy(index) }));
  lost.sort((a, b) => Number(b.by > a.by) - Number(b.by < a.by));
  for (const { index } of lost.slice(0, Number(left))) parts[index] = (parts[index] ?? 0n) + 1n;
}
