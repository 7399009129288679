/** The classes of accounts in financial statements. */
export type AccountClass = 'asset' | 'cash' | 'liability' | 'equity' | 'revenue' | 'expense';

interface ChartEntry {
  readonly class: AccountClass;
  /** The side on which it grows: usually its class's, for a contra account the other. */
  readonly normal: 'debit' | 'credit';
  /** What readers of a report see. */
  readonly label: string;
}

const debit = (of: AccountClass, label: string) => ({ class: of, normal: 'debit', label }) as const;
const credit = (of: AccountClass, label: string) => ({ class: of, normal: 'credit', label }) as const;

/**
 * The chart of accounts of the general ledger in dollars (rule finance-5). Its order is that of reports and codes in
 * tables: entries are added at the end of their class only with a new version of the read model.
 */
export const CHART = {
  'assets:provider:balance': debit('asset', 'Balance at the payment provider'),
  'assets:provider:clearing': debit('asset', 'Payments in clearing'),
  'assets:provider:disputes': debit('asset', 'Disputed payments'),
  'assets:receivables:members': debit('asset', 'Due from members'),
  'assets:receivables:allowance': credit('asset', 'Allowance for what members owe'),
  'assets:payouts-in-transit': debit('asset', 'Payouts on their way to the bank'),
  'assets:bank': debit('cash', 'Bank'),
  'liabilities:deferred-revenue': credit('liability', 'Deferred revenue'),
  'liabilities:unapplied': credit('liability', 'Receipts not yet applied'),
  'liabilities:unclaimed': credit('liability', 'Unclaimed: what admins took of paid Nova'),
  'liabilities:breakage-estimate': debit('liability', 'Expected breakage of deferred revenue'),
  'equity:retained-earnings': credit('equity', 'Retained earnings'),
  'equity:demo': credit('equity', 'Demo purchases without a payment'),
  'income:revenue:commission': credit('revenue', 'Commission'),
  'income:revenue:burns': credit('revenue', 'Nova burned'),
  'income:breakage:forfeited': credit('revenue', 'Forfeited Nova'),
  'income:breakage:unclaimed': credit('revenue', 'Unclaimed Nova, released'),
  'income:breakage:expected': credit('revenue', 'Expected breakage'),
  'income:refunds': debit('revenue', 'Refunds of used Nova'),
  'income:other': credit('revenue', 'Other income'),
  'income:rounding': credit('revenue', 'Rounding to cents'),
  'expenses:provider:fees': debit('expense', 'Payment fees'),
  'expenses:provider:dispute-fees': debit('expense', 'Dispute fees'),
  'expenses:losses:disputes': debit('expense', 'Losses from disputes'),
  'expenses:losses:members': debit('expense', 'Losses from members’ debts'),
  'expenses:losses:differences': debit('expense', 'Unexplained differences'),
} as const satisfies Readonly<Record<string, ChartEntry>>;

/** An account of the general ledger; the accounts of Nova have names of their own (`AccountName`). */
export type DollarAccount = keyof typeof CHART;

export const DOLLAR_ACCOUNTS = Object.keys(CHART) as readonly DollarAccount[];

/** 1 for accounts that grow by debits, −1 for those that grow by credits. */
export const normalSide = (account: DollarAccount): 1n | -1n => (CHART[account].normal === 'debit' ? 1n : -1n);

/** The account that takes a difference between journal and provider unless an admin names another. Debits are positive. */
export const usualTaker = (cents: bigint | number): DollarAccount =>
  cents > 0 ? 'expenses:losses:differences' : 'liabilities:unapplied';

/** Accounts that events alone change: a posting by hand would hide a difference (rule finance-8). */
export const CONTROLLED_ACCOUNTS: ReadonlySet<DollarAccount> = new Set<DollarAccount>([
  'assets:provider:balance',
  'assets:provider:clearing',
  'assets:provider:disputes',
  'assets:receivables:members',
  'assets:receivables:allowance',
  'liabilities:deferred-revenue',
  'equity:retained-earnings',
  'income:rounding',
]);
