import type { ColumnVisibilityState } from '@tanstack/react-table';
import { Columns3 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { z } from 'zod';
import { addressOf, sayShortfall } from '@/shared/api';
import { useStoredValue } from '@/shared/hooks/use-stored-value';
import { Amount, Badge, Button, Card, Checkbox, Field, RelativeTime, Select, TextInput } from '@/shared/ui';
import { transactionKind, transactionTypes } from '../../wallet/transaction-kinds';
import { csvProgress } from '../csv-progress';
import { DayRange } from '../day-range';
import { DownloadButton } from '@/shared/downloads';
import { FilterChips } from '../filter-chips';
import { ListBody, SkeletonRows } from '../list-body';
import { MemberFilter } from '../member-filter';
import { Pager } from '../pager';
import { DataTable } from '../table/data-table';
import { type Order, useAddressOrder } from '../use-address-order';
import {
  type AdminTransaction,
  type AdminTransactionPage,
  TRANSACTION_PAGE_SIZE,
  useAdminTransactions,
} from '../use-admin';
import {
  type FilterName,
  filterQuery,
  type TransactionFilterState,
  useTransactionFilters,
} from '../use-transaction-filters';
import { useWideScreen } from '../use-wide-screen';
import { EventDialog } from './event-dialog';
import { TIME, TRANSACTION_COLUMNS } from './transaction-columns';

const DEFAULT_COLUMNS: readonly string[] = ['time', 'type', 'member', 'description', 'amount', 'balance'];
const STORAGE_KEY = 'nova.admin.transactionColumns';
const stored = z.array(z.string());

/** The columns that the table shows, kept on this device. */
function useColumns() {
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

type ColumnState = ReturnType<typeof useColumns>;

function readColumns(kept: string | null): readonly string[] {
  try {
    return stored.parse(JSON.parse(kept ?? 'null'));
  } catch {
    // Nothing was stored, or not by this app.
    return DEFAULT_COLUMNS;
  }
}

/**
 * Nova Transactions (rule admin-14): every movement of every member, filtered, paged and exported; a row opens its
 * event.
 */
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

/** The active filters of the transactions. */
function TransactionChips({ state, rows }: { state: TransactionFilterState; rows: readonly AdminTransaction[] }) {
  const texts: Record<FilterName, (value: string) => string> = {
    search: (text) => `“${text}”`,
    type: (type) => transactionKind(type).label,
    startDate: (day) => `from ${day}`,
    endDate: (day) => `to ${day}`,
    userId: (id) => `member: ${rows.find(({ userId }) => userId === id)?.userName ?? id}`,
  };
  return <FilterChips state={state} textOf={(name, value) => texts[name](value)} />;
}

interface TransactionTableProps {
  page: AdminTransactionPage;
  columns: ColumnState;
  order: Order;
  onOrder: (order: Order) => void;
  onOpen: (eventId: string) => void;
}

const rowId = ({ id }: AdminTransaction): string => id;

function TransactionTable({ page, columns, order, onOrder, onOpen }: TransactionTableProps) {
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

function ColumnChoice({ columns }: { columns: ColumnState }) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <Button variant="ghost" icon={<Columns3 aria-hidden="true" className="size-4" />}>
          Columns
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Columns"
          className="z-50 grid animate-appear gap-4 rounded-md border border-line bg-sky-800 p-5 shadow-raised"
        >
          {columns.choices.map(({ id, title, isShown, isFixed }) => (
            <Checkbox
              key={id}
              label={title}
              checked={isShown}
              disabled={isFixed}
              onCheckedChange={() => columns.toggle(id)}
            />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** Means no filter, because an option of a select must not be empty (rule screens-15). */
const EVERY_TYPE = 'all';
const TYPE_OPTIONS = [{ value: EVERY_TYPE, label: 'All types' }, ...transactionTypes];

/** Search, type, dates and member. Active filters appear as chips below and in the address bar. */
function FilterBar({ state }: { state: TransactionFilterState }) {
  const { filters } = state;
  return (
    <div className="grid grid-cols-2 items-end gap-3 px-4 pb-4 sm:px-6 lg:grid-cols-[2fr_1.5fr_1fr_1fr_auto] print:hidden">
      <Field label="Search transactions" className="col-span-2 lg:col-span-1">
        <TextInput
          type="search"
          autoComplete="off"
          placeholder="Name or e-mail"
          value={state.searchText}
          onChange={(event) => state.type(event.target.value)}
        />
      </Field>
      <Field label="Type" className="col-span-2 lg:col-span-1">
        <Select
          options={TYPE_OPTIONS}
          value={filters.type === '' ? EVERY_TYPE : filters.type}
          onChange={({ target }) => state.set('type', target.value === EVERY_TYPE ? '' : target.value)}
        />
      </Field>
      <DayRange
        zone="UTC"
        from={filters.startDate}
        to={filters.endDate}
        onFrom={(day) => state.set('startDate', day)}
        onTo={(day) => state.set('endDate', day)}
      />
      <MemberFilter
        label="One member"
        className="col-span-2 lg:col-span-1"
        onChoose={(userId) => state.set('userId', userId)}
      />
    </div>
  );
}

interface TransactionCardsProps {
  rows: readonly AdminTransaction[];
  onOpen: (eventId: string) => void;
}

/** The transactions as pressable cards, where a table has no room. */
function TransactionCards({ rows, onOpen }: TransactionCardsProps) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {rows.map((row) => (
        <li key={row.id}>
          <TransactionCard row={row} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

function TransactionCard({ row, onOpen }: { row: AdminTransaction; onOpen: (eventId: string) => void }) {
  const { label, icon: Icon } = transactionKind(row.type);
  const { eventId } = row;
  const shortfall = sayShortfall(row);
  return (
    <button
      type="button"
      disabled={eventId === null}
      onClick={() => eventId !== null && onOpen(eventId)}
      className="flex min-h-18 w-full items-start gap-3 px-4 py-3 text-left cramped:flex-wrap focus-visible:-outline-offset-2 sm:px-6"
    >
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-muted" />
      <span className="min-w-0 flex-1 cramped:basis-full">
        <span className="line-clamp-2 text-sm font-medium text-ink">
          <bdi>{row.description}</bdi>
        </span>
        <bdi className="mt-0.5 block truncate text-left text-xs text-ink-muted">{row.userName}</bdi>
        {shortfall !== undefined && <span className="mt-0.5 block text-xs text-ink-muted">{shortfall}</span>}
        <span className="mt-0.5 block text-xs text-ink-faint">
          {row.isReversed && (
            <>
              <Badge>Reversed</Badge>{' '}
            </>
          )}
          <span>{label} · </span>
          <RelativeTime iso={row.createdAt} />
        </span>
      </span>
      <span className="grid shrink-0 justify-items-end">
        <Amount value={row.amount} signed bare className="text-sm font-semibold" />
        <span className="text-xs text-ink-faint">
          <span className="sr-only">, balance after </span>
          <Amount value={row.balanceAfter} bare />
        </span>
      </span>
    </button>
  );
}
