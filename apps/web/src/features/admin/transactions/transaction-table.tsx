import { clsx } from 'clsx';
import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { AdminTransaction } from '@/shared/api';
import { Amount, RelativeTime } from '@/shared/ui';
import { transactionKind } from '../../wallet/transaction-kinds';
import { COLUMN_TITLES, type Column } from './use-columns';

export interface TransactionTableProps {
  rows: readonly AdminTransaction[];
  columns: readonly Column[];
  onOpen: (eventId: string) => void;
}

const FIGURES: readonly Column[] = ['amount', 'balance'];

/**
 * The transactions as a table: one row takes the focus, arrow keys, Home and End move it, Enter opens its event. The
 * header stays while the rows scroll inside.
 */
export function TransactionTable({ rows, columns, onOpen }: TransactionTableProps) {
  const [active, setActive] = useState(0);
  const hintId = useId();
  const activeIndex = Math.min(active, rows.length - 1);
  return (
    <section aria-label="Transactions" className="max-h-[min(44rem,80dvh)] overflow-auto border-t border-line">
      <p id={hintId} hidden>
        Enter opens the event.
      </p>
      <table className="w-full border-separate border-spacing-0" aria-label="Transactions, newest first">
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={clsx(
                  'sticky top-0 z-10 border-b border-line bg-sky-800 px-3 py-2.5 text-xs font-medium whitespace-nowrap text-ink-muted first:pl-6 last:pr-6',
                  FIGURES.includes(column) ? 'text-right' : 'text-left',
                )}
              >
                {COLUMN_TITLES[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <Row
              key={row.id}
              row={row}
              columns={columns}
              isActive={index === activeIndex}
              hintId={hintId}
              onFocus={() => setActive(index)}
              onOpen={onOpen}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps {
  row: AdminTransaction;
  columns: readonly Column[];
  isActive: boolean;
  hintId: string;
  onFocus: () => void;
  onOpen: (eventId: string) => void;
}

function Row({ row, columns, isActive, hintId, onFocus, onOpen }: RowProps) {
  const { eventId } = row;
  const open = () => {
    if (eventId !== null) onOpen(eventId);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    const target = rowToFocus(event.key, event.currentTarget);
    if (target !== undefined) target?.focus();
    else if (event.key === 'Enter' || event.key === ' ') open();
    else return;
    event.preventDefault();
  };
  return (
    <tr
      tabIndex={isActive ? 0 : -1}
      aria-describedby={hintId}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={open}
      className="cursor-pointer hover:bg-sky-700/40 focus-visible:bg-sky-700/60 focus-visible:-outline-offset-2 focus-visible:outline-2! focus-visible:outline-nova"
    >
      {columns.map((column) => (
        <td
          key={column}
          className={clsx(
            'h-11 border-b border-line px-3 text-sm first:pl-6 last:pr-6',
            FIGURES.includes(column) ? 'text-right' : 'max-w-64 truncate',
          )}
        >
          {CELLS[column](row)}
        </td>
      ))}
    </tr>
  );
}

/** The row that a key leads to; null at either end, undefined when the key does not move. */
function rowToFocus(key: string, row: HTMLTableRowElement): HTMLElement | null | undefined {
  const body = row.parentElement;
  const rows: Record<string, Element | null | undefined> = {
    ArrowDown: row.nextElementSibling,
    ArrowUp: row.previousElementSibling,
    Home: body?.firstElementChild,
    End: body?.lastElementChild,
  };
  if (!(key in rows)) return undefined;
  const target = rows[key];
  return target instanceof HTMLElement ? target : null;
}

const CELLS: Record<Column, (row: AdminTransaction) => ReactNode> = {
  time: (row) => <RelativeTime iso={row.createdAt} className="whitespace-nowrap text-ink-muted" />,
  type: (row) => <Kind type={row.type} />,
  member: (row) => (
    <span title={row.userEmail}>
      <bdi>{row.userName}</bdi>
    </span>
  ),
  description: (row) => <bdi title={row.description}>{row.description}</bdi>,
  amount: (row) => <Amount value={row.amount} signed bare className="font-semibold" />,
  balance: (row) => <Amount value={row.balanceAfter} bare className="text-ink-muted" />,
  event: (row) => <code className="text-xs text-ink-muted">{row.eventId ?? '–'}</code>,
};

function Kind({ type }: { type: string }) {
  const { label, icon: Icon } = transactionKind(type);
  return (
    <span className="inline-flex items-center gap-2 align-middle whitespace-nowrap text-ink-muted">
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {label}
    </span>
  );
}
