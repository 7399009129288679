import { useTable, type ColumnSort, type ColumnVisibilityState, type RowData } from '@tanstack/react-table';
import { useId, useState } from 'react';
import { adminTable, type AdminColumn } from './admin-table';
import { DataRow } from './data-row';
import { HeaderCell } from './header-cell';
import type { Pagination } from '../use-admin';

export interface DataTableProps<T extends RowData> {
  /** What the rows are: "Transactions". */
  label: string;
  /** The table's name where it says more: "Transactions, newest first". */
  caption?: string;
  /** Keep it stable: a constant. */
  columns: readonly AdminColumn<T>[];
  rows: readonly T[];
  rowId: (row: T) => string;
  pagination: Pagination;
  /** Columns that are not shown, by id. */
  visibility?: ColumnVisibilityState;
  sort?: ColumnSort;
  onSort?: (sort: ColumnSort) => void;
  /** What Enter and a press on a row do; null for a row that leads nowhere. */
  onOpen?: (row: T) => (() => void) | null;
  /** Says what Enter does, for the ear: "Enter opens the event." */
  openHint?: string;
}

/**
 * A page of rows that the server has sorted: one row takes the focus, arrow keys, Home and End move it, Enter opens it. The
 * header stays while the rows scroll inside.
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
