import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote, Field, Skeleton, TextInput } from '@/shared/ui';
import { Pager } from '../pager';
import { useAdminUsers, USER_PAGE_SIZE } from '../use-admin';
import { useWideScreen } from '../use-wide-screen';
import { BlockedEmails } from './blocked-emails';
import { useUserList } from './use-user-list';
import { UserActionsContext, type StartUserAction } from './user-actions';
import { UserCards, UserOrder } from './user-cards';
import { UserDialogs, type StartedAction } from './user-dialogs';
import { UserTable } from './user-table';

/** User Management (S1 §2.6): search, pages of ten, sorted by the server, and all that can be done about a user. */
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
        <div className="grid grid-cols-1 gap-3 px-4 pb-4 sm:max-w-md sm:px-6">
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
        <UserRows users={users} list={list} isWide={isWide} />
        {users.data !== undefined && (
          <Pager label="Pages of users" pagination={users.data.pagination} onGoTo={list.goTo} />
        )}
      </Card>
      <BlockedEmails />
      <UserDialogs started={started} onClose={() => setStarted(null)} />
    </UserActionsContext>
  );
}

interface UserRowsProps {
  users: ReturnType<typeof useAdminUsers>;
  list: ReturnType<typeof useUserList>;
  isWide: boolean;
}

function UserRows({ users: { data, error, isFetching, isPlaceholderData, refetch }, list, isWide }: UserRowsProps) {
  if (error !== null) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The users could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  if (data.users.length === 0 && data.pagination.total > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="This page does not exist"
        text="The list has become shorter than that."
        action={<Button onClick={() => list.goTo(1)}>Go to the first page</Button>}
      />
    );
  }
  if (data.users.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No users found"
        text="No name and no e-mail address holds this text."
        action={<Button onClick={list.clearAll}>Clear the search</Button>}
      />
    );
  }
  return (
    <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
      {isWide ? <UserTable page={data} sort={list.sort} onSort={list.setSort} /> : <UserCards users={data.users} />}
    </div>
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
