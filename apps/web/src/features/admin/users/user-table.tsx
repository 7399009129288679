import type { ColumnSort } from '@tanstack/react-table';
import type { AdminColumn } from '../table/admin-table';
import { DataTable } from '../table/data-table';
import type { UserSort } from './use-user-list';
import { useStartUserAction } from './user-actions';
import { UserMenu } from './user-menu';
import { filesText, joined, ratingText, UserBalance, UserName } from './user-parts';
import type { AdminUser, AdminUserPage } from '../use-admin';

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

export function UserTable({ page, sort, onSort }: UserTableProps) {
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
