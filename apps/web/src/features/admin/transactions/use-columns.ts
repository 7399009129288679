import type { ColumnVisibilityState } from '@tanstack/react-table';
import { z } from 'zod';
import { useStoredValue } from '@/shared/hooks/use-stored-value';
import { TRANSACTION_COLUMNS } from './transaction-columns';

const DEFAULT_COLUMNS: readonly string[] = ['time', 'type', 'member', 'description', 'amount', 'balance'];
const STORAGE_KEY = 'nova.admin.transactionColumns';
const stored = z.array(z.string());

/** Which columns the table shows, kept on this device. */
export function useColumns() {
  const [kept, keep] = useStoredValue(STORAGE_KEY);
  const chosen = readColumns(kept);
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
      keep(JSON.stringify(choices.filter(({ id, isShown }) => isShown !== (id === column)).map(({ id }) => id)));
    },
  };
}

export type ColumnState = ReturnType<typeof useColumns>;

function readColumns(kept: string | null): readonly string[] {
  try {
    return stored.parse(JSON.parse(kept ?? 'null'));
  } catch {
    // Nothing was kept, or not by us.
    return DEFAULT_COLUMNS;
  }
}
