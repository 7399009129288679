import {
  type ColumnSort,
  type ColumnVisibilityState,
  FlexRender,
  type Header,
  type Row,
  type RowData,
  useTable,
} from '@tanstack/react-table';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react';
import type { Pagination } from '../use-admin';
import { type AdminColumn, adminTable, type ColumnLook } from './admin-table';

export interface DataTableProps<T extends RowData> {
  /** The name of the rows: "Transactions". */
  label: string;
  /** The table's name, if it says more: "Transactions, newest first". */
  caption?: string;
  /** Must be stable: use a constant. */
  columns: readonly AdminColumn<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
  pagination: Pagination;
  /** Which columns are shown, by id. */
  visibility?: ColumnVisibilityState;
  sort?: ColumnSort;
  onSort?: (sort: ColumnSort) => void;
  /** What Enter and a press on a row do; null for a row that opens nothing. */
  onOpen?: (row: T) => (() => void) | null;
  /** Says what Enter does, for screen readers: "Enter opens the event." */
  openHint?: string;
}

/**
 * A page of rows that the server has sorted. One row takes the focus; arrow keys, Home and End move it, and Enter opens
 * the row. The header stays while the rows scroll.
 */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { label, caption = label, columns, rows, rowId, pagination, visibility = {}, sort, onSort, onOpen } = props;
  const [active, setActive] = useState(0);
  const hintId = useId();
  const sorting = sort === undefined ? [] : [sort];
  const table = useTable({
    features: adminTable,
    columns,
    data: rows,
    getRowId: rowId,
    rowCount: pagination.total,
    manualPagination: true,
    manualSorting: true,
    enableMultiSort: false,
    enableSortingRemoval: false,
    enableSorting: onSort !== undefined,
    state: {
      columnVisibility: visibility,
      sorting,
      pagination: { pageIndex: pagination.page - 1, pageSize: pagination.limit },
    },
    onSortingChange(update) {
      const [next] = typeof update === 'function' ? update(sorting) : update;
      if (next !== undefined) onSort?.(next);
    },
  });
  const shown = table.getRowModel().rows;
  const firstIndex = (pagination.page - 1) * pagination.limit;
  return (
    <section
      aria-label={label}
      className="relative max-h-[min(44rem,80dvh)] overflow-auto border-t border-line print:max-h-none print:overflow-visible"
    >
      <p id={hintId} hidden>
        {props.openHint}
      </p>
      <table
        className="w-full border-separate border-spacing-0"
        aria-label={caption}
        aria-rowcount={table.getRowCount() + 1}
      >
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id} aria-rowindex={1}>
              {group.headers.map((header) => (
                <HeaderCell key={header.id} header={header} />
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <DataRow
              key={row.id}
              row={row}
              rowIndex={firstIndex + index + 2}
              isActive={index === Math.min(active, shown.length - 1)}
              hintId={hintId}
              onFocus={() => setActive(index)}
              onOpen={onOpen?.(row.original) ?? null}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ICONS = { asc: ArrowUp, desc: ArrowDown, none: ArrowUpDown };
const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const;

/** A column's title, with a sort control if the server can sort by the column. */
function HeaderCell<T extends RowData>({ header }: { header: Header<typeof adminTable, T> }) {
  const { column } = header;
  const isSortable = column.getCanSort();
  const direction = column.getIsSorted() || 'none';
  const Icon = ICONS[direction];
  const isFigure = column.columnDef.meta?.isFigure === true;
  return (
    <th
      scope="col"
      aria-sort={isSortable ? ARIA_SORT[direction] : undefined}
      className={clsx(
        'sticky top-0 z-10 h-10 border-b border-line bg-sky-800 px-3 text-xs font-medium whitespace-nowrap text-ink-muted first:pl-6 last:pr-6',
        isFigure ? 'text-right' : 'text-left',
      )}
    >
      {isSortable ? (
        <button
          type="button"
          onClick={column.getToggleSortingHandler()}
          className="-mx-2 inline-flex min-h-8 items-center gap-1.5 rounded-sm px-2 hover:bg-sky-700 hover:text-ink"
        >
          <FlexRender header={header} />
          <Icon aria-hidden="true" className="size-3.5 shrink-0" />
        </button>
      ) : (
        <FlexRender header={header} />
      )}
    </th>
  );
}

interface DataRowProps<T extends RowData> {
  row: Row<typeof adminTable, T>;
  /** Counted over all pages, including the header. */
  rowIndex: number;
  isActive: boolean;
  hintId: string;
  onFocus: () => void;
  /** Null if there is nothing to open. */
  onOpen: (() => void) | null;
}

/** Links and buttons inside a row have their own action; the row does not open as well. */
const isOnControl = (event: KeyboardEvent | MouseEvent): boolean =>
  event.target instanceof Element && event.target.closest('a, button') !== null;

function widthOf({ isFigure = false, isWidest = false }: ColumnLook = {}): string {
  if (isFigure) return 'text-right';
  return isWidest ? 'w-full max-w-0 truncate' : 'max-w-64 truncate';
}

/** React also passes on events from a menu or dialog that a cell opened, wherever it is on the page. */
const isElsewhere = (event: KeyboardEvent | MouseEvent): boolean =>
  !(event.target instanceof Node && event.currentTarget.contains(event.target));

function DataRow<T extends RowData>({ row, rowIndex, isActive, hintId, onFocus, onOpen }: DataRowProps<T>) {
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.defaultPrevented || isElsewhere(event)) return;
    const target = rowToFocus(event.key, event.currentTarget);
    const isOpening = (event.key === 'Enter' || event.key === ' ') && onOpen !== null && !isOnControl(event);
    if (target !== undefined) target?.focus();
    else if (isOpening) onOpen();
    else return;
    event.preventDefault();
  };
  return (
    <tr
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={rowIndex}
      aria-describedby={onOpen === null ? undefined : hintId}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (!isOnControl(event) && !isElsewhere(event)) onOpen?.();
      }}
      className={clsx(
        'hover:bg-sky-700/40 focus-visible:bg-sky-700/60 focus-visible:-outline-offset-2 focus-visible:outline-2! focus-visible:outline-nova',
        onOpen !== null && 'cursor-pointer',
      )}
    >
      {row.getVisibleCells().map((cell) => (
        <td
          key={cell.id}
          className={clsx(
            'h-11 border-b border-line px-3 text-sm first:pl-6 last:pr-6',
            widthOf(cell.column.columnDef.meta),
          )}
        >
          <FlexRender cell={cell} />
        </td>
      ))}
    </tr>
  );
}

/** The row that a key leads to; null at either end, undefined if the key does not move the focus. */
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
