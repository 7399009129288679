import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { errorSentence, useSettledValue, type AdminUser } from '@/shared/api';
import { Button, Card, EmptyState, ErrorNote, Field, Skeleton, TextInput } from '@/shared/ui';
import { Pager } from '../pager';
import { useAdminUsers, USER_PAGE_SIZE, type NovaChange } from '../use-admin';
import { useWideScreen } from '../use-wide-screen';
import { ChangeNovaDialog } from './change-nova-dialog';
import { UserCards, UserTable, type UserActions } from './user-list';

/** User Management (S1 §2.6): search, pages of ten, adding and deducting Nova. */
export function AdminUsers({ onShowTransactions }: { onShowTransactions: (userId: string) => void }) {
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const [changing, setChanging] = useState<{ user: AdminUser; change: NovaChange } | null>(null);
  const search = useSettledValue(text.trim());
  const users = useAdminUsers({ search, page });
  return (
    <Card title="User Management" flush aria-busy={users.isFetching}>
      <div className="px-4 pb-4 sm:px-6">
        <Field label="Search users" className="max-w-sm">
          <TextInput
            type="search"
            autoComplete="off"
            placeholder="Name or e-mail"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setPage(1);
            }}
          />
        </Field>
      </div>
      <UserRows
        users={users}
        actions={{ onChange: (user, change) => setChanging({ user, change }), onShowTransactions }}
        onClear={() => setText('')}
      />
      {users.data !== undefined && <Pager label="Pages of users" pagination={users.data.pagination} onGoTo={setPage} />}
      <ChangeNovaDialog changing={changing} onClose={() => setChanging(null)} />
    </Card>
  );
}

interface UserRowsProps {
  users: ReturnType<typeof useAdminUsers>;
  actions: UserActions;
  onClear: () => void;
}

function UserRows({ users: { data, error, isFetching, isPlaceholderData, refetch }, actions, onClear }: UserRowsProps) {
  const isWide = useWideScreen();
  if (error !== null) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'The users could not be loaded.')}
      </ErrorNote>
    );
  }
  if (data === undefined) return <SkeletonRows />;
  if (data.users.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No users found"
        text="No name and no e-mail address holds this text."
        action={<Button onClick={onClear}>Clear the search</Button>}
      />
    );
  }
  const List = isWide ? UserTable : UserCards;
  return (
    <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>
      <List users={data.users} {...actions} />
    </div>
  );
}

const ROWS = Array.from({ length: USER_PAGE_SIZE }, (_, index) => `row ${index}`);

function SkeletonRows() {
  return (
    <ul aria-label="Loading users" aria-busy="true" className="divide-y divide-line border-t border-line">
      {ROWS.map((row) => (
        <li key={row} className="flex min-h-16 items-center gap-3 px-4 sm:px-6">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-40" />
          <Skeleton className="ml-auto h-4 w-24" />
        </li>
      ))}
    </ul>
  );
}
