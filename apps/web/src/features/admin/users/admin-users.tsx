import { useState } from 'react';
import { Card, Field, Skeleton, TextInput } from '@/shared/ui';
import { ListBody } from '../list-body';
import { Pager } from '../pager';
import { useAdminUsers, USER_PAGE_SIZE } from '../use-admin';
import { useWideScreen } from '../use-wide-screen';
import { BlockedEmails } from './blocked-emails';
import { useUserList } from './use-user-list';
import { UserActionsContext, type StartUserAction } from './user-actions';
import { UserCards, UserOrder } from './user-cards';
import { UserDialogs, type StartedAction } from './user-dialogs';
import { UserTable } from './user-table';

/** User Management (rule admin-6): search, pages of ten, sorted by the server, and all that can be done about a user. */
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
