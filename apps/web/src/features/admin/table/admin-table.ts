import {
  columnVisibilityFeature,
  metaHelper,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  type ColumnDef,
  type RowData,
} from '@tanstack/react-table';

/** The look of a column's cells; text that is too long for its column is cut. */
export interface ColumnLook {
  isFigure?: boolean;
  /** The column takes all the room that the others leave. */
  isWidest?: boolean;
}

/** The features of the panel's tables. The server sorts and pages, so no feature here touches rows. */
export const adminTable = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  rowPaginationFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

/** A column with an `accessorFn` is sortable unless it says otherwise: the server must know its id. */
export type AdminColumn<T extends RowData> = ColumnDef<typeof adminTable, T>;
