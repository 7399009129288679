import { CHART, DOLLAR_ACCOUNTS, type AccountClass, type DollarAccount, normalSide } from './chart.js';
import { type Flow, FLOWS, MICROS_PER_CENT } from './valuation.js';

/** Lifetime sums of the books at a moment. Debits are positive. */
export interface Sums {
  /** Cents by account; an account that is missing has none. */
  readonly cents: ReadonlyMap<DollarAccount, bigint>;
  /** How deferred revenue came about, in micro-dollars: what added to it is positive. */
  readonly flows: ReadonlyMap<Flow, bigint>;
}

/** A figure of a report in cents, on its account's normal side: positive where the account has what it is for. */
export interface Figure {
  readonly account: DollarAccount;
  readonly cents: bigint;
}

/** A group of figures whose sum counts towards its statement; contra accounts lower it. */
export interface Group {
  readonly figures: readonly Figure[];
  readonly cents: bigint;
}

export interface BalanceSheet {
  readonly assets: Group;
  readonly liabilities: Group;
  /** With retained earnings: the result of everything before the period. */
  readonly equity: Group;
  /** The result of the period. Assets are liabilities, equity and this. */
  readonly result: bigint;
}

export interface IncomeStatement {
  readonly revenue: Group;
  readonly expenses: Group;
  /** Below zero for a loss. */
  readonly result: bigint;
}

/** What deferred revenue came from. In cents, `rounding` takes what the lines leave. */
export interface RollForward<T> {
  readonly opening: T;
  readonly flows: readonly { readonly flow: Flow; readonly amount: T }[];
  readonly rounding: T;
  readonly closing: T;
}

const isOf = (...classes: readonly AccountClass[]): ((account: DollarAccount) => boolean) => {
  const wanted = new Set<AccountClass>(classes);
  return (account) => wanted.has(CHART[account].class);
};
const isAsset = isOf('asset', 'cash');
const isLiability = isOf('liability');
const isEquity = isOf('equity');
const isRevenue = isOf('revenue');
const isExpense = isOf('expense');

const at = ({ cents }: Sums, account: DollarAccount): bigint => cents.get(account) ?? 0n;

/** The sum of everything earned and spent so far: positive for a profit. */
const resultOf = (sums: Sums): bigint =>
  DOLLAR_ACCOUNTS.filter((account) => isRevenue(account) || isExpense(account)).reduce(
    (sum, account) => sum - at(sums, account),
    0n,
  );

/** @param side 1 where debits count towards the statement, −1 where credits do */
function groupOf(
  belongs: (account: DollarAccount) => boolean,
  side: 1n | -1n,
  debits: (account: DollarAccount) => bigint,
): Group {
  const accounts = DOLLAR_ACCOUNTS.filter((account) => belongs(account) && debits(account) !== 0n);
  return {
    figures: accounts.map((account) => ({ account, cents: normalSide(account) * debits(account) })),
    cents: accounts.reduce((sum, account) => sum + side * debits(account), 0n),
  };
}

/** The balance sheet at the end of a period. @param opening the sums just before the period */
export function balanceSheet(opening: Sums, closing: Sums): BalanceSheet {
  const debits = (account: DollarAccount): bigint => at(closing, account);
  const retained = (account: DollarAccount): bigint =>
    account === 'equity:retained-earnings' ? debits(account) - resultOf(opening) : debits(account);
  return {
    assets: groupOf(isAsset, 1n, debits),
    liabilities: groupOf(isLiability, -1n, debits),
    equity: groupOf(isEquity, -1n, retained),
    result: resultOf(closing) - resultOf(opening),
  };
}

/** Profit and loss of a period. */
export function incomeStatement(opening: Sums, closing: Sums): IncomeStatement {
  const debits = (account: DollarAccount): bigint => at(closing, account) - at(opening, account);
  const [revenue, expenses] = [groupOf(isRevenue, -1n, debits), groupOf(isExpense, 1n, debits)];
  return { revenue, expenses, result: revenue.cents - expenses.cents };
}

const DEFERRED: DollarAccount = 'liabilities:deferred-revenue';
const flowOf = ({ flows }: Sums, flow: Flow): bigint => flows.get(flow) ?? 0n;
const carriedOf = (sums: Sums): bigint => FLOWS.reduce((sum, flow) => sum + flowOf(sums, flow), 0n);

/** The roll-forward of deferred revenue in micro-dollars, which are exact: nothing is rounded. */
export const rollForwardInMicros = (opening: Sums, closing: Sums): RollForward<bigint> => ({
  opening: carriedOf(opening),
  flows: FLOWS.map((flow) => ({ flow, amount: flowOf(closing, flow) - flowOf(opening, flow) })),
  rounding: 0n,
  closing: carriedOf(closing),
});

/** The same in cents: of each line, the change of its lifetime sum without parts of cents, so that periods add up. */
export function rollForward(opening: Sums, closing: Sums): RollForward<bigint> {
  const inCents = (sums: Sums, flow: Flow): bigint => flowOf(sums, flow) / MICROS_PER_CENT;
  const flows = FLOWS.map((flow) => ({ flow, amount: inCents(closing, flow) - inCents(opening, flow) }));
  const [before, after] = [-at(opening, DEFERRED), -at(closing, DEFERRED)];
  const named = flows.reduce((sum, { amount }) => sum + amount, before);
  return { opening: before, flows, rounding: after - named, closing: after };
}
