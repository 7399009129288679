/** Spendable Nova in minor units; the Nova balance is the sum of the three (`ledger.md`, Currencies and accounts). */
export interface NovaBalance {
  readonly purchased: bigint;
  readonly earned: bigint;
  readonly owed: bigint;
}

/** Balances as the read models have them. A member whom they do not know has nothing. */
export interface NovaBalances {
  of(memberId: string): Promise<NovaBalance>;
}

export const NOVA_BALANCES = Symbol('NOVA_BALANCES');
