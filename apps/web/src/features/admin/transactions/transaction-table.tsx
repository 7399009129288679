import { DataTable } from '../table/data-table';
import type { Order } from '../use-address-order';
import { TIME, TRANSACTION_COLUMNS } from './transaction-columns';
import type { ColumnState } from './use-columns';
import type { AdminTransaction, AdminTransactionPage } from '../use-admin';

export interface TransactionTableProps {
  page: AdminTransactionPage;
  columns: ColumnState;
  order: Order;
  onOrder: (order: Order) => void;
  onOpen: (eventId: string) => void;
}

const rowId = ({ id }: AdminTransaction): string => id;

export function TransactionTable({ page, columns, order, onOrder, onOpen }: TransactionTableProps) {
  return (
    <DataTable
      label="Transactions"
      caption={order === 'desc' ? 'Transactions, newest first' : 'Transactions, oldest first'}
      columns={TRANSACTION_COLUMNS}
      rows={page.transactions}
      rowId={rowId}
      pagination={page.pagination}
      visibility={columns.visibility}
      sort={{ id: TIME, desc: order === 'desc' }}
      onSort={({ desc }) => onOrder(desc ? 'desc' : 'asc')}
      onOpen={({ eventId }) => (eventId === null ? null : () => onOpen(eventId))}
      openHint="Enter opens the event."
    />
  );
}
