import {
  columnVisibilityFeature,
  metaHelper,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  type ColumnDef,
  type RowData,
} from '@tanstack/react-table';

/** How the cells of a column look; text that is too long for its column is cut. */
export interface ColumnLook {
  isFigure?: boolean;
  /** The column takes all the room that the others leave. */
  isWidest?: boolean;
}

/** What the panel's tables can do. The server sorts and pages: no feature here touches rows. */
export const adminTable = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  rowPaginationFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

/** A column is sortable where it has an `accessorFn` and does not say otherwise: the server must know its id. */
export type AdminColumn<T extends RowData> = ColumnDef<typeof adminTable, T>;
