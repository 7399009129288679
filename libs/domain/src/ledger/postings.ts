import { appAccount, userAccount, type AccountName } from './accounts.js';
import type { Currency } from './currencies.js';
import type { Entry } from './events.js';

/** The purchased and earned parts of an amount; refunds and application wallets keep them. */
export interface Mix {
  readonly purchased: bigint;
  readonly earned: bigint;
}

export const mixTotal = (mix: Mix): bigint => mix.purchased + mix.earned;

// Stryker disable next-line EqualityOperator: of two equal numbers either is the smaller
export const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The change of an account by an event's entries. */
export const sumOf = (entries: readonly Entry[], account: string): bigint =>
  entries.reduce((sum, [name, , delta]) => (name === account ? sum + delta : sum), 0n);

/** Takes an amount out of what is there, purchased before earned (rule ledger-9). */
export function purchasedFirst(amount: bigint, from: Mix): Mix {
  const purchased = amount < from.purchased ? amount : from.purchased;
  return { purchased, earned: amount - purchased };
}

export const mixMinus = (from: Mix, taken: Mix): Mix => ({
  purchased: from.purchased - taken.purchased,
  earned: from.earned - taken.earned,
});

/** Collects an event's entries: one line per account, no zeros, in order of first mention. */
export class Postings {
  private readonly lines: [AccountName, Currency, bigint][] = [];

  add(account: AccountName, delta: bigint, currency: Currency = 'NOVA'): this {
    if (delta === 0n) return this;
    for (const line of this.lines) {
      if (line[0] !== account) continue;
      line[2] += delta;
      return this;
    }
    this.lines.push([account, currency, delta]);
    return this;
  }

  takeFromUser(userId: string, mix: Mix): this {
    return this.add(userAccount(userId, 'purchased'), -mix.purchased).add(userAccount(userId, 'earned'), -mix.earned);
  }

  giveToUser(userId: string, mix: Mix): this {
    return this.add(userAccount(userId, 'purchased'), mix.purchased).add(userAccount(userId, 'earned'), mix.earned);
  }

  takeFromApp(clientId: string, mix: Mix): this {
    return this.add(appAccount(clientId, 'purchased'), -mix.purchased).add(appAccount(clientId, 'earned'), -mix.earned);
  }

  giveToApp(clientId: string, mix: Mix): this {
    return this.add(appAccount(clientId, 'purchased'), mix.purchased).add(appAccount(clientId, 'earned'), mix.earned);
  }

  entries(): readonly Entry[] {
    return this.lines.filter(([, , delta]) => delta !== 0n);
  }
}
