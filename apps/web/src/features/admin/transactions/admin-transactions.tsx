import { useState } from 'react';
import { Card } from '@/shared/ui';
import { csvProgress } from '../csv-progress';
import { DownloadButton } from '../download-button';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { TRANSACTION_PAGE_SIZE, useAdminTransactions } from '../use-admin';
import { useAddressOrder } from '../use-address-order';
import { filterQuery, useTransactionFilters } from '../use-transaction-filters';
import { useWideScreen } from '../use-wide-screen';
import { ColumnChoice } from './column-choice';
import { EventDialog } from './event-dialog';
import { FilterBar } from './filter-bar';
import { TransactionChips } from './transaction-chips';
import { TransactionCards } from './transaction-cards';
import { TransactionTable } from './transaction-table';
import { useColumns } from './use-columns';
import { addressOf } from '@/shared/api';

/** Nova Transactions (rule admin-14): every movement of every member, filtered, paged, exported; a row opens its event. */
export function AdminTransactions() {
  const state = useTransactionFilters();
  const [order, setOrder] = useAddressOrder();
  const transactions = useAdminTransactions(state.filters, order, state.page);
  const total = transactions.data?.pagination.total;
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
          <DownloadButton
            label="Export CSV"
            disabled={total === 0}
            path={addressOf('/api/admin/transactions.csv', { query: filterQuery(state.filters) })}
            fallbackName="nova-transactions.csv"
            progressOf={() => csvProgress(total)}
            failure="The transactions could not be exported."
          />
        </div>
      }
    >
      <FilterBar state={state} />
      <TransactionChips state={state} rows={transactions.data?.transactions ?? []} />
      <ListBody
        list={transactions}
        failure="The transactions could not be loaded."
        empty={{ title: 'No transactions yet', text: 'Every movement of Nova on the platform is listed here.' }}
        isFiltered={state.isFiltered}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<SkeletonRows label="Loading transactions" count={TRANSACTION_PAGE_SIZE} />}
      >
        {(page) =>
          isWide ? (
            <TransactionTable page={page} columns={columns} order={order} onOrder={setOrder} onOpen={setOpenEventId} />
          ) : (
            <TransactionCards rows={page.transactions} onOpen={setOpenEventId} />
          )
        }
      </ListBody>
      {transactions.data !== undefined && (
        <Pager label="Pages of transactions" pagination={transactions.data.pagination} onGoTo={state.goTo} />
      )}
      <EventDialog eventId={openEventId} onClose={() => setOpenEventId(null)} />
    </Card>
  );
}
