/** The row that a key leads to; null at either end, undefined when the key does not move. */
export function rowToFocus(key: string, row: HTMLTableRowElement): HTMLElement | null | undefined {
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
