import { stringify } from 'csv-stringify/sync';

/** Texts that a spreadsheet would take for a formula get an apostrophe; amounts stay numbers. */
export function csvRows(rows: readonly (readonly string[])[]): string {
  const safe = (cell: string) => (/^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell);
  return stringify(rows.map((cells) => cells.map(safe)));
}
