import { execFileSync, spawnSync } from 'node:child_process';

export const hasHledger = spawnSync('hledger', ['--version']).status === 0;
if (!hasHledger) console.warn('SKIPPED: hledger is not installed, so the reports were not compared with its own');

const hledger = (journal: string, ...asked: string[]): string =>
  execFileSync('hledger', ['-f', '-', ...asked], { input: journal, encoding: 'utf8' });

interface Group {
  readonly figures: readonly { readonly account: string; readonly cents: number }[];
}

/** The cents of a group of the panel's figures, by account. */
export const figuresOf = ({ figures }: Group): Record<string, number> =>
  Object.fromEntries(figures.map(({ account, cents }) => [account, cents]));

/** The cents of play money in hledger's balance sheet or income statement, by account. */
function reportOf(journal: string, kind: 'bs' | 'is'): Record<string, number> {
  const rows = [...hledger(journal, kind, '--flat', '-O', 'csv').matchAll(/^"(\w+:[\w:-]+)","(-?[\d.]+) XTS"$/gm)];
  return Object.fromEntries(rows.map(([, account = '', amount]) => [account, Math.round(Number(amount) * 100)]));
}

/** The panel's statements of a period. */
export interface PanelStatements {
  readonly balanceSheet: { readonly assets: Group; readonly liabilities: Group };
  readonly incomeStatement: { readonly revenue: Group; readonly expenses: Group };
}

/** Expects that hledger accepts the export of a period and has the panel's figures, to the cent. */
export function expectFiguresOfHledger(journal: string, { balanceSheet, incomeStatement }: PanelStatements): void {
  hledger(journal, 'check', '--strict');
  const { assets, liabilities } = balanceSheet;
  expect(reportOf(journal, 'bs')).toEqual({ ...figuresOf(assets), ...figuresOf(liabilities) });
  const { revenue, expenses } = incomeStatement;
  expect(reportOf(journal, 'is')).toEqual({ ...figuresOf(revenue), ...figuresOf(expenses) });
}
