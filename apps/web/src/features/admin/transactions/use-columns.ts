import type { ColumnVisibilityState } from '@tanstack/react-table';
import { useState } from 'react';
import { z } from 'zod';
import { TRANSACTION_COLUMNS } from './transaction-columns';

const DEFAULT_COLUMNS: readonly string[] = ['time', 'type', 'member', 'description', 'amount', 'balance'];
const STORAGE_KEY = 'nova.admin.transactionColumns';
const stored = z.array(z.string());

/** Which columns the table shows, kept on this device. */
export function useColumns() {
  const [chosen, setChosen] = useState<readonly string[]>(readColumns);
  const choices = TRANSACTION_COLUMNS.map(({ id, header, enableHiding }) => ({
    id,
    title: header,
    isFixed: enableHiding === false,
    isShown: enableHiding === false || chosen.includes(id),
  }));
  const visibility: ColumnVisibilityState = Object.fromEntries(choices.map(({ id, isShown }) => [id, isShown]));
  return {
    choices,
    visibility,
    toggle(column: string) {
      const next = choices.filter(({ id, isShown }) => isShown !== (id === column)).map(({ id }) => id);
      setChosen(next);
      keepColumns(next);
    },
  };
}

export type ColumnState = ReturnType<typeof useColumns>;

function readColumns(): readonly string[] {
  try {
    return stored.parse(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null'));
  } catch {
    // Nothing was kept, or the browser keeps nothing.
    return DEFAULT_COLUMNS;
  }
}

function keepColumns(columns: readonly string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(columns));
  } catch {
    // The browser keeps nothing: the choice lasts as long as the page.
  }
}
