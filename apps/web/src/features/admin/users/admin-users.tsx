import type { ColumnSort } from '@tanstack/react-table';
import { useState } from 'react';
import { Card, Field, Select, Skeleton, TextInput } from '@/shared/ui';
import { ListBody } from '../list-body';
import { Pager } from '../pager';
import type { AdminColumn } from '../table/admin-table';
import { DataTable } from '../table/data-table';
import { type AdminUser, type AdminUserPage, useAdminUsers, USER_PAGE_SIZE } from '../use-admin';
import { useWideScreen } from '../use-wide-screen';
import { BlockedEmails } from './blocked-emails';
import { type UserSort, useUserList } from './use-user-list';
import { type StartUserAction, UserActionsContext, useStartUserAction } from './user-actions';
import { type StartedAction, UserDialogs } from './user-dialogs';
import { UserMenu } from './user-menu';
import { filesText, joined, ratingText, UserBalance, UserName } from './user-parts';

/** User Management (rule admin-6): search, pages of ten sorted by the server, and all actions on a user. */
export function AdminUsers({ onShowTransactions }: { onShowTransactions: (userId: string) => void }) {
  const list = useUserList();
  const isWide = useWideScreen();
  const [started, setStarted] = useState<StartedAction | null>(null);
  const users = useAdminUsers({ search: list.search, page: list.page, sort: list.sort });
  const start: StartUserAction = (action, user) =>
    action === 'transactions' ? onShowTransactions(user.id) : setStarted({ action, user });
  return (
    <UserActionsContext value={start}>
      <Card title="User Management" flush aria-busy={users.isFetching}>
        <div className="grid grid-cols-1 gap-3 px-4 pb-4 sm:max-w-108 sm:px-6">
          <Field label="Search users">
            <TextInput
              type="search"
              autoComplete="off"
              placeholder="Name or e-mail"
              value={list.searchText}
              onChange={(event) => list.type(event.target.value)}
            />
          </Field>
          {!isWide && <UserOrder sort={list.sort} onSort={list.setSort} />}
        </div>
        <ListBody
          list={users}
          failure="The users could not be loaded."
          empty={{ title: 'No users yet', text: 'Everybody who registers is listed here.' }}
          isFiltered={list.isFiltered}
          onClear={list.clearAll}
          onFirstPage={() => list.goTo(1)}
          skeleton={<SkeletonRows />}
        >
          {(page) =>
            isWide ? <UserTable page={page} sort={list.sort} onSort={list.setSort} /> : <UserCards users={page.users} />
          }
        </ListBody>
        {users.data !== undefined && (
          <Pager label="Pages of users" pagination={users.data.pagination} onGoTo={list.goTo} />
        )}
      </Card>
      <BlockedEmails />
      <UserDialogs started={started} onClose={() => setStarted(null)} />
    </UserActionsContext>
  );
}

const ROWS = Array.from({ length: USER_PAGE_SIZE }, (_, index) => `row ${index}`);

function SkeletonRows() {
  return (
    <ul aria-label="Loading users" aria-busy="true" className="divide-y divide-line border-t border-line">
      {ROWS.map((row) => (
        <li key={row} className="flex min-h-14 items-center gap-3 px-4 sm:px-6">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="ml-auto h-4 w-24" />
        </li>
      ))}
    </ul>
  );
}

/** The users as cards, where a table has no room. */
function UserCards({ users }: { users: readonly AdminUser[] }) {
  return (
    <ul aria-label="Users" className="divide-y divide-line border-t border-line">
      {users.map((user) => (
        <li key={user.id} className="grid grid-cols-1 gap-2 p-4 sm:px-6">
          <div className="flex items-center justify-between gap-2">
            <UserName user={user} />
            <UserMenu user={user} />
          </div>
          <div className="flex items-start justify-between gap-x-4 cramped:flex-wrap">
            <p className="py-1.5 text-xs text-ink-faint">
              Rating: {ratingText(user)}
              <span className="block">Joined {joined(user)}</span>
              <span className="block">{filesText(user)}</span>
            </p>
            <div className="text-right">
              <UserBalance user={user} />
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}

const ORDERS = [
  { value: 'created desc', label: 'Newest first' },
  { value: 'created asc', label: 'Oldest first' },
  { value: 'name asc', label: 'Name, A to Z' },
  { value: 'name desc', label: 'Name, Z to A' },
  { value: 'balance desc', label: 'Highest balance first' },
  { value: 'balance asc', label: 'Lowest balance first' },
  { value: 'rating desc', label: 'Best rating first' },
  { value: 'rating asc', label: 'Worst rating first' },
];

/** The order of the cards, which have no headers to press. */
function UserOrder({ sort, onSort }: { sort: ColumnSort; onSort: (sort: ColumnSort) => void }) {
  return (
    <Field label="Order">
      <Select
        options={ORDERS}
        value={`${sort.id} ${sort.desc ? 'desc' : 'asc'}`}
        onChange={({ target }) => {
          const [id = '', order] = target.value.split(' ');
          onSort({ id, desc: order === 'desc' });
        }}
      />
    </Field>
  );
}

const COLUMNS: readonly (AdminColumn<AdminUser> & { id: UserSort['id'] | 'actions' })[] = [
  {
    id: 'name',
    header: 'User',
    accessorFn: ({ displayName }) => displayName,
    sortDescFirst: false,
    meta: { isWidest: true },
    cell: ({ row }) => <UserName user={row.original} />,
  },
  {
    id: 'balance',
    header: 'Balance',
    accessorFn: ({ novaBalance }) => novaBalance,
    sortDescFirst: true,
    meta: { isFigure: true },
    cell: ({ row }) => <UserBalance user={row.original} />,
  },
  {
    id: 'rating',
    header: 'Rating',
    accessorFn: ({ rating }) => rating,
    sortDescFirst: true,
    meta: { isFigure: true },
    cell: ({ row }) => (
      <span className="whitespace-nowrap text-ink-muted tabular-nums">{ratingText(row.original)}</span>
    ),
  },
  {
    id: 'created',
    header: 'Joined',
    accessorFn: ({ createdAt }) => createdAt,
    sortDescFirst: true,
    cell: ({ row }) => (
      <span className="whitespace-nowrap text-ink-muted">
        {joined(row.original)}
        <span className="block text-xs text-ink-faint">{filesText(row.original)}</span>
      </span>
    ),
  },
  {
    id: 'actions',
    header: () => <span className="sr-only">Actions</span>,
    meta: { isFigure: true },
    cell: ({ row }) => <UserMenu user={row.original} />,
  },
];

interface UserTableProps {
  page: AdminUserPage;
  sort: ColumnSort;
  onSort: (sort: ColumnSort) => void;
}

const rowId = ({ id }: AdminUser): string => id;

function UserTable({ page, sort, onSort }: UserTableProps) {
  const start = useStartUserAction();
  return (
    <DataTable
      label="Users"
      columns={COLUMNS}
      rows={page.users}
      rowId={rowId}
      pagination={page.pagination}
      sort={sort}
      onSort={onSort}
      onOpen={(user) => () => start('comments', user)}
      openHint="Enter opens what was written about this user."
    />
  );
}
