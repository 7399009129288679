import { useState } from 'react';
import { z } from 'zod';

export const COLUMNS = ['time', 'type', 'member', 'description', 'amount', 'balance', 'event'] as const;
export type Column = (typeof COLUMNS)[number];

export const COLUMN_TITLES: Record<Column, string> = {
  time: 'Time',
  type: 'Type',
  member: 'Member',
  description: 'Description',
  amount: 'Amount',
  balance: 'Balance after',
  event: 'Event id',
};

/** Without these a row would say nothing. */
export const FIXED_COLUMNS: readonly Column[] = ['description', 'amount'];

const DEFAULT_COLUMNS: readonly Column[] = ['time', 'type', 'member', 'description', 'amount', 'balance'];
const STORAGE_KEY = 'nova.admin.transactionColumns';
const stored = z.array(z.enum(COLUMNS));

/** Which columns the table shows, kept on this device. */
export function useColumns() {
  const [chosen, setChosen] = useState<readonly Column[]>(readColumns);
  const shown = COLUMNS.filter((column) => chosen.includes(column) || FIXED_COLUMNS.includes(column));
  return {
    shown,
    toggle(column: Column) {
      const next = shown.includes(column) ? shown.filter((other) => other !== column) : [...shown, column];
      setChosen(next);
      keepColumns(next);
    },
  };
}

export type ColumnState = ReturnType<typeof useColumns>;

function readColumns(): readonly Column[] {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null'));
  } catch {
    // Nothing was kept, or the browser keeps nothing.
    return DEFAULT_COLUMNS;
  }
}

function keepColumns(columns: readonly Column[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(columns));
  } catch {
    // The browser keeps nothing: the choice lasts as long as the page.
  }
}
