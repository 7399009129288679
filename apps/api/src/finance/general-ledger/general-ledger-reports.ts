import { Injectable } from '@nestjs/common';
import {
  balanceSheet,
  type BalanceSheet,
  type DollarAccount,
  incomeStatement,
  type IncomeStatement,
  rollForward,
  type RollForward,
  rollForwardInMicros,
} from '@app/domain';
import type { DayTurnover, DollarLinePage, DollarLinesAsked, MovementSum, OpenSubject } from '@app/projections';
import { BooksStream } from './books-stream.js';
import { FiscalCalendar, type FiscalPeriod } from './fiscal-calendar.js';

/** The statements of a period. Cents; micro-dollars where it says so. */
export interface FinancialStatements {
  readonly period: FiscalPeriod;
  /** `USD`, or `XTS` (ISO's code for tests) where Nova was bought with play money. */
  readonly currency: 'USD' | 'XTS';
  readonly balanceSheet: BalanceSheet;
  readonly incomeStatement: IncomeStatement;
  readonly rollForward: RollForward<bigint>;
  readonly rollForwardInMicros: RollForward<bigint>;
}

/** What is left over in an account between journal and provider at the end of a period. */
export interface OpenAccount {
  readonly account: DollarAccount;
  readonly count: number;
  /** Those of them that still are open: what was only on its way by then is not among them. */
  readonly unsettled: number;
  readonly subjects: readonly OpenSubject[];
}

/** A day of the provider's balance beside the journal's. Cents; the provider's side is signed as the balance moved. */
export interface ControlDay {
  readonly day: string;
  readonly provider: {
    readonly opening: bigint;
    readonly payments: bigint;
    readonly refunds: bigint;
    readonly disputes: bigint;
    readonly fees: bigint;
    readonly payouts: bigint;
    readonly other: bigint;
    readonly closing: bigint;
  };
  readonly journal: { readonly purchases: bigint; readonly reversals: bigint };
  /** Journal less provider, over all time: what is open at the end of the day. */
  readonly difference: bigint;
}

/** Accounts where journal and provider meet. */
export const CONTROL_ACCOUNTS = ['assets:provider:clearing', 'assets:provider:disputes'] as const;
const NO_DOLLARS = { cents: 0n, centsNow: 0n } as const;
const BALANCE: DollarAccount = 'assets:provider:balance';

/** The reports of the dollar books, for any period. */
@Injectable()
export class GeneralLedgerReports {
  constructor(
    private readonly stream: BooksStream,
    readonly calendar: FiscalCalendar,
  ) {}

  async statements(period: FiscalPeriod): Promise<FinancialStatements> {
    const books = await this.stream.current();
    const [opening, closing, isPlay] = await Promise.all([
      books.sumsAt(justBefore(period)),
      books.sumsAt(period.to),
      books.isPlay(),
    ]);
    return {
      period,
      currency: isPlay ? 'XTS' : 'USD',
      balanceSheet: balanceSheet(opening, closing),
      incomeStatement: incomeStatement(opening, closing),
      rollForward: rollForward(opening, closing),
      rollForwardInMicros: rollForwardInMicros(opening, closing),
    };
  }

  /** @throws InvalidCursor */
  async lines(account: DollarAccount, period: FiscalPeriod, asked: DollarLinesAsked): Promise<DollarLinePage> {
    return (await this.stream.current()).lines(account, period, asked);
  }

  /** The subjects that are open at a moment, in both control accounts. */
  async open(to: Date, { limit, offset }: { readonly limit: number; readonly offset: number }): Promise<OpenAccount[]> {
    const books = await this.stream.current();
    const foreign = await books.foreign(to, limit);
    return Promise.all(
      CONTROL_ACCOUNTS.map(async (account) => {
        const { count, unsettled } = await books.countOpen(account, to);
        const subjects = await books.openSubjects(account, { to, limit, offset });
        if (account !== 'assets:provider:clearing') return { account, count, unsettled, subjects };
        // Movements in another currency have no dollars, and wait for an explanation as well.
        const others = foreign.map(({ movementId: subject, postedAt: since }) => ({ ...NO_DOLLARS, subject, since }));
        return {
          account,
          count: count + others.length,
          unsettled: unsettled + others.length,
          subjects: offset === 0 ? [...others, ...subjects].slice(0, limit) : subjects,
        };
      }),
    );
  }

  /** Every day of a period on which something moved: opening + movements = closing, on both sides. */
  async controlDays(period: FiscalPeriod): Promise<ControlDay[]> {
    const books = await this.stream.current();
    const { timeZone } = this.calendar;
    const [opening, movements, balances, ...meetings] = await Promise.all([
      books.sumsAt(justBefore(period), { withClosing: false }),
      books.movementsByDay(period, timeZone),
      books.turnoverByDay(BALANCE, period, timeZone),
      ...CONTROL_ACCOUNTS.map((account) => books.turnoverByDay(account, period, timeZone)),
    ]);
    const turnover = meetings.flat();
    const days = [...new Set([...movements, ...turnover, ...balances].map(({ day }) => day))].toSorted();
    let balance = opening.cents.get(BALANCE) ?? 0n;
    let difference = CONTROL_ACCOUNTS.reduce((sum, account) => sum + (opening.cents.get(account) ?? 0n), 0n);
    return days.map((day) => {
      const ofDay = <T extends { readonly day: string }>(lines: readonly T[]): T[] =>
        lines.filter((line) => line.day === day);
      const ours = sidesOf(ofDay(turnover).filter(({ source }) => source === 'ledger'));
      const [all, moved, before] = [sidesOf(ofDay(turnover)), sidesOf(ofDay(balances)), balance];
      balance += moved.debits - moved.credits;
      difference += all.debits - all.credits;
      return {
        day,
        provider: { opening: before, ...sumsOf(ofDay(movements)), closing: balance },
        journal: { purchases: ours.debits, reversals: ours.credits },
        difference,
      };
    });
  }
}

const sidesOf = (lines: readonly DayTurnover[]) => ({
  debits: lines.reduce((sum, { debits }) => sum + debits, 0n),
  credits: lines.reduce((sum, { credits }) => sum + credits, 0n),
});

const justBefore = ({ from }: FiscalPeriod): Date => new Date(from.getTime() - 1);

/** The movements of a day by what they are. Fees leave. */
function sumsOf(movements: readonly MovementSum[]) {
  const sum = (kinds: readonly string[]): bigint =>
    movements.filter(({ kind }) => kinds.includes(kind)).reduce((all, { amount }) => all + amount, 0n);
  return {
    payments: sum(['payment']),
    refunds: sum(['refund', 'refund-failed']),
    disputes: sum(['dispute', 'dispute-won']),
    fees: sum(['fee']) - movements.reduce((all, { fee }) => all + fee, 0n),
    payouts: sum(['payout', 'payout-returned', 'top-up']),
    other: sum(['other']),
  };
}
