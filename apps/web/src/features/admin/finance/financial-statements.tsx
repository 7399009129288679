import { CHART, DOLLAR_ACCOUNTS, type DollarAccount, type Flow } from '@app/domain';
import { clsx } from 'clsx';
import { Check, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Card } from '@/shared/ui';
import { CURRENCY_NAMES, DollarAmount } from './dollar-amount';
import { FLOW_LABELS, linesPath } from './dollar-lines';
import { financePath } from './finance-address';
import { dayBefore } from './fiscal-period';
import type { FigureGroup, FinancialStatements, PeriodStatements } from './use-general-ledger';

/** A period beside another one. Days are in the time zone of the books. */
export interface Column {
  statements: PeriodStatements;
  first: string;
  last: string;
  label: string;
}

export interface StatementTablesProps {
  columns: readonly Column[];
  currency: FinancialStatements['currency'];
  /** What the page shows, for the way back from the lines. */
  back: Readonly<Record<string, string>>;
}

/** Balance sheet, profit and loss, and the roll-forward of deferred revenue (rule finance-8). */
export function StatementTables({ columns, currency, back }: StatementTablesProps) {
  const head = { columns, currency };
  const linesOfPeriod = (account: DollarAccount, { first, last }: Column) => linesPath({ account, first, last }, back);
  const linesUpToEnd = (account: DollarAccount, { first, last }: Column) =>
    account === 'equity:retained-earnings'
      ? financePath({ view: 'dollars', to: dayBefore(first) })
      : linesPath({ account, first: '', last }, back);
  return (
    <div className="grid grid-cols-1 items-start gap-6 print:block print:space-y-6 lg:grid-cols-2">
      <Card title="Balance sheet" description="At the end of the period." flush>
        <StatementTable label="Balance sheet" {...head}>
          {(['assets', 'liabilities', 'equity'] as const).map((name) => (
            <GroupRows
              key={name}
              title={{ assets: 'Assets', liabilities: 'Liabilities', equity: 'Equity' }[name]}
              columns={columns}
              groupOf={({ statements }) => statements.balanceSheet[name]}
              pathOf={linesUpToEnd}
            />
          ))}
          <SumRow
            label="Profit (loss) of the period"
            cents={columns.map(({ statements }) => statements.balanceSheet.resultCents)}
          />
          <EquationRow columns={columns} />
        </StatementTable>
      </Card>
      <div className="grid grid-cols-1 gap-6">
        <Card title="Profit and loss" description="What the period brought." flush>
          <StatementTable label="Profit and loss" {...head}>
            <GroupRows
              title="Revenue"
              columns={columns}
              groupOf={({ statements }) => statements.incomeStatement.revenue}
              pathOf={linesOfPeriod}
            />
            <GroupRows
              title="Expenses"
              columns={columns}
              groupOf={({ statements }) => statements.incomeStatement.expenses}
              pathOf={linesOfPeriod}
            />
            <SumRow
              label="Profit (loss)"
              cents={columns.map(({ statements }) => statements.incomeStatement.resultCents)}
              isTotal
            />
          </StatementTable>
        </Card>
        <Card
          title="Deferred revenue"
          description="From its opening to its closing balance. The exact amounts are below the cents."
          flush
        >
          <StatementTable label="Deferred revenue" {...head}>
            <RollForwardRows
              columns={columns}
              pathOf={(flow, { first, last }) =>
                linesPath({ account: 'liabilities:deferred-revenue', first, last, flow }, back)
              }
            />
          </StatementTable>
        </Card>
      </div>
    </div>
  );
}

const LABEL = 'py-2 pr-2 pl-4 text-left font-normal text-ink sm:pl-6';
const CELL = 'px-2 text-right text-ink last:pr-4 sm:last:pr-6';

interface StatementTableProps {
  label: string;
  columns: readonly Column[];
  currency: FinancialStatements['currency'];
  children: ReactNode;
}

function StatementTable({ label, columns, currency, children }: StatementTableProps) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-t border-line text-sm cramped:text-xs cramped:wrap-normal" aria-label={label}>
        <thead className="text-xs text-ink-muted">
          <tr>
            <th scope="col" className="py-2.5 pr-2 pl-4 text-left font-medium sm:pl-6">
              {CURRENCY_NAMES[currency]}
            </th>
            {columns.map((column, index) => (
              <th
                key={index}
                scope="col"
                className="w-28 px-2 py-2.5 text-right align-bottom sm:w-36 font-medium last:pr-4 sm:last:pr-6"
              >
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

interface GroupRowsProps {
  title: string;
  columns: readonly Column[];
  groupOf: (column: Column) => FigureGroup;
  pathOf: (account: DollarAccount, column: Column) => string;
}

/** A group's accounts in the order of the chart, and their sum. What lowers the sum is in parentheses. */
function GroupRows({ title, columns, groupOf, pathOf }: GroupRowsProps) {
  const groups = columns.map(groupOf);
  const accounts = DOLLAR_ACCOUNTS.filter((account) =>
    groups.some(({ figures }) => figures.some((figure) => figure.account === account)),
  );
  return (
    <tbody>
      <tr className="border-t border-line">
        <th scope="rowgroup" colSpan={columns.length + 1} className="px-4 pt-4 pb-1 text-left font-semibold sm:px-6">
          {title}
        </th>
      </tr>
      {accounts.map((account) => (
        <tr key={account} className="border-t border-line hover:bg-sky-700/40">
          <th scope="row" className={LABEL}>
            {CHART[account].label}
          </th>
          {columns.map((column, index) => (
            <td key={index} className={CELL}>
              <FigureLink cents={centsOf(groups[index], account)} to={pathOf(account, column)} />
            </td>
          ))}
        </tr>
      ))}
      <SumRow label={`Total ${title.toLowerCase()}`} cents={groups.map(({ cents }) => cents)} isInGroup />
    </tbody>
  );
}

/** What a figure adds to its group; null if the group has none. */
function centsOf(group: FigureGroup | undefined, account: DollarAccount): number | null {
  const figure = group?.figures.find((one) => one.account === account);
  if (figure === undefined) return null;
  return figure.isContra ? -figure.cents : figure.cents;
}

/** An amount that leads to its lines. */
function FigureLink({ cents, exact, to }: { cents: number | null; exact?: string; to: string }) {
  if (cents === null) return <None />;
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 min-w-11 flex-col items-end justify-center py-1 focus-visible:-outline-offset-2 sm:min-h-9"
    >
      <DollarAmount
        cents={cents}
        className="underline decoration-line-strong underline-offset-4 hover:decoration-ink print:no-underline"
      />
      {exact !== undefined && <Exact>{exact}</Exact>}
    </Link>
  );
}

const None = () => (
  <span className="pr-[0.4em] text-ink-faint">
    <span aria-hidden="true">–</span>
    <span className="sr-only">none</span>
  </span>
);

const Exact = ({ children }: { children: string }) => (
  <span className="block pr-[0.4em] text-xs text-ink-faint tabular-nums">{children.replace('-', '−')}</span>
);

interface SumRowProps {
  label: ReactNode;
  cents: readonly number[];
  exact?: readonly string[];
  /** The last line of its table. */
  isTotal?: boolean;
  /** Already inside of the group that it sums. */
  isInGroup?: boolean;
}

function SumRow({ label, cents, exact, isTotal = false, isInGroup = false }: SumRowProps) {
  const row = (
    <tr className={clsx('font-semibold', isTotal ? 'border-t-2 border-line-strong' : 'border-t border-line-strong')}>
      <th scope="row" className={clsx(LABEL, 'py-2.5 font-semibold')}>
        {label}
      </th>
      {cents.map((amount, index) => (
        <td key={index} className={clsx(CELL, exact !== undefined && 'py-1.5')}>
          <DollarAmount cents={amount} />
          {exact?.[index] !== undefined && <Exact>{exact[index]}</Exact>}
        </td>
      ))}
    </tr>
  );
  return isInGroup ? row : <tbody>{row}</tbody>;
}

/** Assets are liabilities, equity and the result of the period. */
function EquationRow({ columns }: { columns: readonly Column[] }) {
  const sums = columns.map(({ statements: { balanceSheet } }) => ({
    assets: balanceSheet.assets.cents,
    others: balanceSheet.liabilities.cents + balanceSheet.equity.cents + balanceSheet.resultCents,
  }));
  const isEqual = sums.every(({ assets, others }) => assets === others);
  const Mark = isEqual ? Check : TriangleAlert;
  return (
    <SumRow
      isTotal
      label={
        <>
          Liabilities + equity + profit
          <span className="mt-0.5 flex items-center gap-1.5 font-normal text-ink-muted">
            <Mark aria-hidden="true" className={clsx('size-4 shrink-0', isEqual ? 'text-gain' : 'text-loss')} />
            {isEqual ? 'Equals total assets' : 'Does not equal total assets'}
          </span>
        </>
      }
      cents={sums.map(({ others }) => others)}
    />
  );
}

interface RollForwardRowsProps {
  columns: readonly Column[];
  pathOf: (flow: Flow, column: Column) => string;
}

function RollForwardRows({ columns, pathOf }: RollForwardRowsProps) {
  const sheets = columns.map(({ statements }) => statements.rollForward);
  const flows = sheets[0]?.flows.map(({ flow }) => flow) ?? [];
  return (
    <>
      <SumRow
        label="Opening"
        cents={sheets.map(({ openingCents }) => openingCents)}
        exact={sheets.map(({ openingExact }) => openingExact)}
      />
      <tbody>
        {flows.map((flow, row) => (
          <tr key={flow} className="border-t border-line hover:bg-sky-700/40">
            <th scope="row" className={LABEL}>
              {FLOW_LABELS[flow]}
            </th>
            {columns.map((column, index) => {
              const { cents = 0, exact = '' } = sheets[index]?.flows[row] ?? {};
              return (
                <td key={index} className={CELL}>
                  {Number(exact) === 0 ? (
                    <None />
                  ) : (
                    <FigureLink cents={cents} exact={exact} to={pathOf(flow, column)} />
                  )}
                </td>
              );
            })}
          </tr>
        ))}
        <tr className="border-t border-line">
          <th scope="row" className={LABEL}>
            Rounding to cents
          </th>
          {sheets.map(({ roundingCents }, index) => (
            <td key={index} className={CELL}>
              {roundingCents === 0 ? <None /> : <DollarAmount cents={roundingCents} />}
            </td>
          ))}
        </tr>
      </tbody>
      <SumRow
        label="Closing"
        cents={sheets.map(({ closingCents }) => closingCents)}
        exact={sheets.map(({ closingExact }) => closingExact)}
        isTotal
      />
    </>
  );
}
