import { ListFilter, Minus, Plus } from 'lucide-react';
import type { AdminUser } from '@/shared/api';
import { Amount, Avatar, Badge, Button, Tooltip } from '@/shared/ui';
import type { NovaChange } from '../use-admin';

export interface UserActions {
  onChange: (user: AdminUser, change: NovaChange) => void;
  onShowTransactions: (userId: string) => void;
}

interface UserListProps extends UserActions {
  users: readonly AdminUser[];
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const rating = ({ rating: value, ratingCount }: AdminUser): string =>
  ratingCount === 0 ? 'none' : `${value.toFixed(2)} (${ratingCount.toLocaleString('en-US')})`;

const HEAD = 'px-3 py-2 text-xs font-medium whitespace-nowrap text-ink-muted first:pl-6 last:pr-6';
const CELL = 'px-3 py-2.5 text-sm first:pl-6 last:pr-6';

export function UserTable({ users, ...actions }: UserListProps) {
  return (
    <section className="overflow-x-auto border-t border-line" aria-label="Users">
      <table className="w-full">
        <thead className="text-left">
          <tr>
            <th scope="col" className={HEAD}>
              User
            </th>
            <th scope="col" className={`${HEAD} text-right`}>
              Balance
            </th>
            <th scope="col" className={`${HEAD} text-right`}>
              Rating
            </th>
            <th scope="col" className={HEAD}>
              Joined
            </th>
            <th scope="col" className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {users.map((user) => (
            <tr key={user.id} className="hover:bg-sky-700/30">
              <th scope="row" className={`${CELL} max-w-72 text-left font-normal`}>
                <UserName user={user} />
              </th>
              <td className={`${CELL} text-right`}>
                <Balance user={user} />
              </td>
              <td className={`${CELL} text-right whitespace-nowrap text-ink-muted tabular-nums`}>{rating(user)}</td>
              <td className={`${CELL} whitespace-nowrap text-ink-muted`}>{day.format(new Date(user.createdAt))}</td>
              <td className={CELL}>
                <Actions user={user} {...actions} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function UserCards({ users, ...actions }: UserListProps) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {users.map((user) => (
        <li key={user.id} className="grid grid-cols-1 gap-3 p-4">
          <UserName user={user} />
          <div className="flex items-start justify-between gap-4">
            <p className="text-xs text-ink-faint">
              Rating: {rating(user)}
              <span className="block">Joined {day.format(new Date(user.createdAt))}</span>
            </p>
            <div className="text-right">
              <Balance user={user} />
            </div>
          </div>
          <Actions user={user} {...actions} />
        </li>
      ))}
    </ul>
  );
}

/** What the member has, and what of it was bought and earned. */
function Balance({ user }: { user: AdminUser }) {
  return (
    <>
      <Amount value={user.novaBalance} className="font-semibold" />
      <span className="block text-xs text-ink-faint">
        <span className="block sm:inline">
          <Amount value={user.purchasedNova} bare /> purchased
        </span>
        <span className="hidden sm:inline"> · </span>
        <span className="block sm:inline">
          <Amount value={user.earnedNova} bare /> earned
        </span>
      </span>
    </>
  );
}

function UserName({ user }: { user: AdminUser }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar size="sm" name={user.displayName} src={user.profileImageUrl} />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className="truncate text-sm font-medium text-ink">
            <bdi>{user.displayName}</bdi>
          </span>
          {user.isAdmin && <Badge tone="nova">Admin</Badge>}
        </span>
        <span className="block truncate text-xs text-ink-faint">{user.email}</span>
      </span>
    </span>
  );
}

function Actions({ user, onChange, onShowTransactions }: UserActions & { user: AdminUser }) {
  return (
    <fieldset aria-label={`Actions for ${user.displayName}`} className="flex justify-end gap-2">
      <Tooltip label="Show this user’s transactions">
        <Button
          size="icon"
          variant="ghost"
          aria-label={`Transactions of ${user.displayName}`}
          onClick={() => onShowTransactions(user.id)}
        >
          <ListFilter aria-hidden="true" className="size-4" />
        </Button>
      </Tooltip>
      <Button size="sm" icon={<Plus aria-hidden="true" className="size-4" />} onClick={() => onChange(user, 'add')}>
        Add Nova
      </Button>
      <Button size="sm" icon={<Minus aria-hidden="true" className="size-4" />} onClick={() => onChange(user, 'deduct')}>
        Deduct Nova
      </Button>
    </fieldset>
  );
}
