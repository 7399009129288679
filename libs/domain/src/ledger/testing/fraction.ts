/** An exact rational number: what the model of pools reckons in. */
export class Fraction {
  static readonly ZERO = new Fraction(0n, 1n);

  private constructor(
    readonly top: bigint,
    readonly bottom: bigint,
  ) {}

  static of(top: bigint, bottom = 1n): Fraction {
    const divisor = gcd(top < 0n ? -top : top, bottom);
    return new Fraction(top / divisor, bottom / divisor);
  }

  plus(other: Fraction): Fraction {
    return Fraction.of(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(Fraction.of(-other.top, other.bottom));
  }

  /** This part of an amount: multiplied by `share` of `shares`. */
  part(share: bigint, shares: bigint): Fraction {
    return Fraction.of(this.top * share, this.bottom * shares);
  }

  floor(): bigint {
    const whole = this.top / this.bottom;
    return this.top < 0n && whole * this.bottom !== this.top ? whole - 1n : whole;
  }

  lessThan(other: Fraction): boolean {
    return this.top * other.bottom < other.top * this.bottom;
  }

  toString(): string {
    return `${this.top}/${this.bottom}`;
  }
}

function gcd(a: bigint, b: bigint): bigint {
  while (b) [a, b] = [b, a % b];
  return a;
}
