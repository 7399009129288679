import { FlexRender, type Row, type RowData } from '@tanstack/react-table';
import { clsx } from 'clsx';
import type { KeyboardEvent, MouseEvent } from 'react';
import type { adminTable, ColumnLook } from './admin-table';
import { rowToFocus } from './row-focus';

interface DataRowProps<T extends RowData> {
  row: Row<typeof adminTable, T>;
  /** Counted over all pages, the header included. */
  rowIndex: number;
  isActive: boolean;
  hintId: string;
  onFocus: () => void;
  /** Null where there is nothing to open. */
  onOpen: (() => void) | null;
}

/** Links and buttons inside a row do what they say; the row does not open as well. */
const isOnControl = (event: KeyboardEvent | MouseEvent): boolean =>
  event.target instanceof Element && event.target.closest('a, button') !== null;

function widthOf({ isFigure = false, isWidest = false }: ColumnLook = {}): string {
  if (isFigure) return 'text-right';
  return isWidest ? 'w-full max-w-0 truncate' : 'max-w-64 truncate';
}

/** React hands on what happens in a menu or dialog that a cell opened, wherever on the page that is. */
const isElsewhere = (event: KeyboardEvent | MouseEvent): boolean =>
  !(event.target instanceof Node && event.currentTarget.contains(event.target));

export function DataRow<T extends RowData>({ row, rowIndex, isActive, hintId, onFocus, onOpen }: DataRowProps<T>) {
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
