import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { errorSentence, type AdminTransactionPage } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote, Skeleton } from '@/shared/ui';
import { Pager } from '../pager';
import { TRANSACTION_PAGE_SIZE, useAdminTransactions } from '../use-admin';
import { useAddressOrder } from '../use-address-order';
import { useTransactionFilters } from '../use-transaction-filters';
import { useWideScreen } from '../use-wide-screen';
import { ColumnChoice } from './column-choice';
import { CsvExport } from './csv-export';
import { EventDialog } from './event-dialog';
import { FilterBar } from './filter-bar';
import { FilterChips } from './filter-chips';
import { TransactionCards } from './transaction-cards';
import { TransactionTable } from './transaction-table';
import { useColumns } from './use-columns';

/** Nova Transactions (S1 §2.6): every movement of every member, filtered, paged, exported; a row opens its event. */
export function AdminTransactions() {
  const state = useTransactionFilters();
  const [order, setOrder] = useAddressOrder();
  const transactions = useAdminTransactions(state.filters, order, state.page);
  const columns = useColumns();
  const isWide = useWideScreen();
  const [openEventId, setOpenEventId] = useState<string | null>(null);
  return (
    <Card
      title="Nova Transactions"
      flush
      aria-busy={transactions.isFetching}
      actions={
        <div className="flex flex-wrap items-center gap-2">
          {isWide && <ColumnChoice columns={columns} />}
          <CsvExport filters={state.filters} total={transactions.data?.pagination.total} />
        </div>
      }
    >
      <FilterBar state={state} />
      <FilterChips state={state} rows={transactions.data?.transactions ?? []} />
      <Rows
        transactions={transactions}
        isFiltered={state.isFiltered}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        render={(page) =>
          isWide ? (
            <TransactionTable page={page} columns={columns} order={order} onOrder={setOrder} onOpen={setOpenEventId} />
          ) : (
            <TransactionCards rows={page.transactions} onOpen={setOpenEventId} />
          )
        }
      />
      {transactions.data !== undefined && (
        <Pager label="Pages of transactions" pagination={transactions.data.pagination} onGoTo={state.goTo} />
      )}
      <EventDialog eventId={openEventId} onClose={() => setOpenEventId(null)} />
    </Card>
  );
}

interface RowsProps {
  transactions: ReturnType<typeof useAdminTransactions>;
  isFiltered: boolean;
  onClear: () => void;
  onFirstPage: () => void;
  render: (page: AdminTransactionPage) => React.ReactNode;
}

function Rows({ transactions, isFiltered, onClear, onFirstPage, render }: RowsProps) {
  const { data, error, isFetching, isPlaceholderData, refetch } = transactions;
  if (error !== null) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The transactions could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  if (data.transactions.length === 0 && data.pagination.total > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="This page does not exist"
        text="The list has become shorter than that."
        action={<Button onClick={onFirstPage}>Go to the first page</Button>}
      />
    );
  }
  if (data.transactions.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={isFiltered ? 'Nothing matches these filters' : 'No transactions yet'}
        text={
          isFiltered
            ? 'Take away a filter or widen the dates.'
            : 'Every movement of Nova on the platform is listed here.'
        }
        {...(isFiltered && { action: <Button onClick={onClear}>Clear all filters</Button> })}
      />
    );
  }
  return <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>{render(data)}</div>;
}

const ROWS = Array.from({ length: TRANSACTION_PAGE_SIZE }, (_, index) => `row ${index}`);

function SkeletonRows() {
  return (
    <ul aria-label="Loading transactions" aria-busy="true" className="divide-y divide-line border-t border-line">
      {ROWS.map((row) => (
        <li key={row} className="flex min-h-11 items-center gap-6 px-4 sm:px-6">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 w-48" />
          <Skeleton className="ml-auto h-4 w-20" />
        </li>
      ))}
    </ul>
  );
}
