import { type AccountKind, MEMBER_BALANCES, type MemberBalance } from '@app/domain';
import type { LedgerEvents } from '@app/ledger';
import {
  type AccountStanding,
  EntryQueries,
  type EntryPage,
  type KindBalance,
  type LedgerAccount,
  StatementQueries,
  type Turnover,
} from '@app/projections';
import type { Pool } from 'pg';
import type { DayOrMoment } from '../platform/day-or-moment.js';
import { AppError, notFound } from '../platform/errors/app-error.js';
import { BEFORE_EVERYTHING, type JournalMoment, lastMoment, momentBefore, momentOf } from './moments.js';

/** What is asked for: a revision, the end of a day or a moment, or now. */
export interface AskedMoment {
  readonly revision?: number | undefined;
  readonly at?: DayOrMoment | undefined;
}

/** A period, both ends included; without them from the first event, up to now. A revision ends it instead of a time. */
export interface AskedPeriod {
  readonly from?: DayOrMoment | undefined;
  readonly to?: DayOrMoment | undefined;
  readonly revision?: number | undefined;
}

/** The journal just before a period and at its end. */
export interface Period {
  readonly opening: JournalMoment;
  readonly closing: JournalMoment;
}

export interface StatementLine extends LedgerAccount, Turnover {
  readonly balance: MemberBalance;
  readonly opening: bigint;
  readonly closing: bigint;
}

/** What a member had and what became of it. Minor units. */
export interface MemberStatement extends Period {
  readonly userId: string;
  readonly lines: readonly StatementLine[];
  /** What pools owed (rule ledger-20). */
  readonly owed: { readonly opening: bigint; readonly closing: bigint };
  /** Purchased + earned + owed. */
  readonly nova: { readonly opening: bigint; readonly closing: bigint };
}

/** Whether a statement is of somebody whom the journal does not know, or not in that time. */
export const holdsNothing = ({ lines }: MemberStatement): boolean =>
  lines.every((line) => line.opening === 0n && line.in === 0n && line.closing === 0n);

/** Waits a moment for read models to hold a revision. */
export type AwaitRevision = (models: readonly string[], revision: number) => Promise<unknown>;

const NEEDED = ['ledger_entries', 'statements'] as const;
const RETRY_SECONDS = 5;

export const memberAccounts = (userId: string): LedgerAccount[] =>
  MEMBER_BALANCES.map((balance) => ({ kind: `user:${balance}`, owner: userId }));

/**
 * The books at any moment: trial balance, accounts, entries, statements. Everything is made of the journal's entries; `verify`
 * recomputes them, and `replay` says the same from the events alone.
 */
export class Books {
  private readonly entries: EntryQueries;
  private readonly statements: StatementQueries;

  constructor(
    private readonly ledger: LedgerEvents,
    pool: Pool,
    private readonly awaitRevision: AwaitRevision,
  ) {
    this.entries = new EntryQueries(pool);
    this.statements = new StatementQueries(pool);
  }

  /**
   * The moment that is asked for; now is the last one that the read models have.
   * @throws AppError 400 both are given; 404 there is no such revision; 503 the read models have not come as far
   */
  async moment({ revision, at }: AskedMoment): Promise<JournalMoment> {
    if (revision === undefined && at === undefined) return await this.now();
    if (revision !== undefined && at) throw new AppError(400, 'INVALID_MOMENT', 'Name a time or a revision, not both.');
    const asked = revision === undefined ? undefined : await momentOf(this.ledger, revision);
    if (revision !== undefined && !asked) throw notFound(`Revision ${revision}`);
    return await this.reached(asked ?? (at ? await momentBefore(this.ledger, at.end) : BEFORE_EVERYTHING));
  }

  /** @throws AppError 400 the end comes before the start; 404, 503 as `moment` */
  async period({ from, to, revision }: AskedPeriod): Promise<Period> {
    checkOrder({ from, to });
    const closing = await this.moment({ at: to, revision });
    return periodUpTo(closing, from ? await momentBefore(this.ledger, from.start) : BEFORE_EVERYTHING);
  }

  /**
   * A period of the journal as it is stored, whatever the read models have: whoever walks through it stops at what nobody
   * signed.
   * @throws AppError 400 the end comes before the start
   */
  async journalPeriod({ from, to }: Omit<AskedPeriod, 'revision'>): Promise<Period> {
    checkOrder({ from, to });
    const { asStored } = this.ledger;
    const closing = to ? await momentBefore(asStored, to.end) : await lastMoment(asStored);
    return periodUpTo(closing, from ? await momentBefore(asStored, from.start) : BEFORE_EVERYTHING);
  }

  trialBalance({ revision }: JournalMoment): Promise<KindBalance[]> {
    return this.entries.totalsAt(revision);
  }

  /** The accounts of a kind that are not at zero, by owner, after one. */
  accountsOf(
    kind: AccountKind,
    { revision }: JournalMoment,
    page: { readonly after?: string | undefined; readonly limit: number },
  ): Promise<AccountStanding[]> {
    const { after, limit } = page;
    return this.entries.accountsOf(kind, { revision, limit, ...(after !== undefined && { after }) });
  }

  async balance(account: LedgerAccount, { revision }: JournalMoment): Promise<bigint> {
    const [balance = 0n] = await this.entries.balancesAt([{ ...account, revision }]);
    return balance;
  }

  /** Entries of accounts of different kinds, newest first. @throws InvalidCursor */
  entriesOf(
    accounts: readonly LedgerAccount[],
    period: Period,
    page: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<EntryPage> {
    return this.entries.page(accounts, { ...revisionsOf(period), ...page });
  }

  /** All of them, oldest first, in batches. */
  streamEntries(accounts: readonly LedgerAccount[], period: Period): ReturnType<EntryQueries['stream']> {
    return this.entries.stream(accounts, revisionsOf(period));
  }

  async memberStatement(userId: string, period: Period): Promise<MemberStatement> {
    const { opening, closing } = period;
    const accounts = memberAccounts(userId);
    const at = (revision: number) => accounts.map((account) => ({ ...account, revision }));
    const [before, after, turnover, owedBefore, owedAfter] = await Promise.all([
      this.entries.balancesAt(at(opening.revision)),
      this.entries.balancesAt(at(closing.revision)),
      this.entries.turnover(accounts, revisionsOf(period)),
      this.statements.balanceAt(userId, { revision: opening.revision }),
      this.statements.balanceAt(userId, { revision: closing.revision }),
    ]);
    const lines = MEMBER_BALANCES.map((balance, index) => ({
      balance,
      kind: `user:${balance}` as const,
      owner: userId,
      opening: before[index] ?? 0n,
      in: turnover[index]?.in ?? 0n,
      out: turnover[index]?.out ?? 0n,
      closing: after[index] ?? 0n,
    }));
    return {
      ...period,
      userId,
      lines,
      owed: { opening: owedBefore.owed, closing: owedAfter.owed },
      nova: { opening: owedBefore.nova, closing: owedAfter.nova },
    };
  }

  private async now(): Promise<JournalMoment> {
    const last = await lastMoment(this.ledger);
    const reached = await this.waitFor(last.revision);
    if (reached === undefined) throw behind();
    if (reached >= last.revision) return last;
    return (await momentOf(this.ledger, reached)) ?? BEFORE_EVERYTHING;
  }

  private async reached(moment: JournalMoment): Promise<JournalMoment> {
    const reached = await this.waitFor(moment.revision);
    if (reached === undefined || reached < moment.revision) throw behind();
    return moment;
  }

  /** The revision that the read models have, at best after a short wait; undefined while they are made anew. */
  private async waitFor(revision: number): Promise<number | undefined> {
    const reached = await this.entries.reached(NEEDED);
    if (reached === undefined || reached >= revision) return reached;
    await this.awaitRevision(NEEDED, revision);
    return await this.entries.reached(NEEDED);
  }
}

function checkOrder({ from, to }: AskedPeriod): void {
  if (!from || !to || from.start < to.end) return;
  throw new AppError(400, 'INVALID_DATE', 'The end date is before the start date.');
}

/** A period that begins after its end, in the future, is empty. */
const periodUpTo = (closing: JournalMoment, opening: JournalMoment): Period => ({
  opening: opening.revision > closing.revision ? closing : opening,
  closing,
});

const revisionsOf = ({ opening, closing }: Period) => ({ first: opening.revision + 1, last: closing.revision });

/** The read models that the books are made of have not come as far as the journal. */
export const behind = (): AppError =>
  new AppError(503, 'BOOKS_BEHIND', 'The books have not reached this moment yet. Try again shortly.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
