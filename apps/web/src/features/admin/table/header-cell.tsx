import { FlexRender, type Header, type RowData } from '@tanstack/react-table';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { adminTable } from './admin-table';

const ICONS = { asc: ArrowUp, desc: ArrowDown, none: ArrowUpDown };
const ARIA_SORT = { asc: 'ascending', desc: 'descending', none: 'none' } as const;

/** A column's title, and where the server can sort by it the control that does. */
export function HeaderCell<T extends RowData>({ header }: { header: Header<typeof adminTable, T> }) {
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
