import { accountKind, ACCOUNT_KINDS } from '../ledger/accounts.js';
import { CURRENCIES } from '../ledger/currencies.js';
import type { Entry } from '../ledger/events.js';
import { FactCodec } from '../fact-codec.js';

/** The stream of closed periods, in order: one event each. */
export const PERIODS_STREAM = 'periods';

/**
 * The books up to a moment, sealed (rule finance-4). Anybody who keeps `seal` can show later that nothing in the period
 * was changed. Hashes are 64 hex digits.
 */
export interface PeriodSealed {
  readonly type: 'PeriodSealed';
  /** From 1, without gaps. */
  readonly number: number;
  /** The last moment that belongs to it, in milliseconds since 1970: no later event is dated before or at it. */
  readonly endsAt: number;
  /** The first revision in the journal; the period has at least one event. */
  readonly firstRevision: number;
  readonly lastRevision: number;
  /** The journal's chain at the last revision. */
  readonly chainHash: string;
  /** The root of the tree over the period's events, by which a receipt proves that an event is in the period. */
  readonly root: string;
  /** Blinds what a receipt does not show. It never leaves the journal. */
  readonly blinding: string;
  /** The trial balance at the end: `kind CURRENCY minor-units`, one a line, in the order of rule ledger-2. */
  readonly totals: string;
  readonly totalsHash: string;
  /** The seal of the period before, `NO_SEAL` for the first. */
  readonly previousSeal: string;
  readonly seal: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The admin who closed it; null if the daily job did. */
  readonly adminId: string | null;
}

/** The seal before the first period. */
export const NO_SEAL = '0'.repeat(64);

/** The input of a seal (SHA-256): nine lines, joined by line feeds, with none at the end. */
export const sealPreimage = (
  period: Omit<PeriodSealed, 'type' | 'seal' | 'totals' | 'blinding' | 'at' | 'adminId'>,
): string =>
  [
    'period',
    period.number,
    period.endsAt,
    period.firstRevision,
    period.lastRevision,
    period.chainHash,
    period.root,
    period.totalsHash,
    period.previousSeal,
  ].join('\n');

const codec = new FactCodec<PeriodSealed>({
  PeriodSealed: {
    number: 'number',
    endsAt: 'number',
    firstRevision: 'number',
    lastRevision: 'number',
    chainHash: 'text',
    root: 'text',
    blinding: 'text',
    totals: 'text',
    totalsHash: 'text',
    previousSeal: 'text',
    seal: 'text',
    at: 'number',
    adminId: 'nullable-text',
  },
});

export const encodePeriod = (period: PeriodSealed): string => codec.encode(period);

/** @throws UnreadableFact for what this version does not know */
export const decodePeriod = (type: string, data: string): PeriodSealed => codec.decode(type, data);

/** Running sums by account kind and currency, from period to period. */
export class PeriodTotals {
  private readonly sums = new Map<string, bigint>();

  /** @param totals of the period before; empty for the first */
  constructor(totals = '') {
    for (const line of totals.split('\n').filter(Boolean)) {
      const [kind = '', currency = '', minor = ''] = line.split(' ');
      this.sums.set(`${kind} ${currency}`, BigInt(minor));
    }
  }

  add(entries: readonly Entry[]): void {
    for (const [account, currency, delta] of entries) {
      const line = `${accountKind(account)} ${currency}`;
      this.sums.set(line, (this.sums.get(line) ?? 0n) + delta);
    }
  }

  /** The sums as a period stores them, without zeros. */
  toText(): string {
    return CURRENCIES.flatMap((currency) =>
      ACCOUNT_KINDS.flatMap((kind) => {
        const sum = this.sums.get(`${kind} ${currency}`) ?? 0n;
        return sum === 0n ? [] : `${kind} ${currency} ${sum}`;
      }),
    ).join('\n');
  }
}
