import type { ColumnSort } from '@tanstack/react-table';
import { Field, Select } from '@/shared/ui';
import { UserMenu } from './user-menu';
import { filesText, joined, ratingText, UserBalance, UserName } from './user-parts';
import type { AdminUser } from '../use-admin';

/** The users where a table has no room. */
export function UserCards({ users }: { users: readonly AdminUser[] }) {
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
export function UserOrder({ sort, onSort }: { sort: ColumnSort; onSort: (sort: ColumnSort) => void }) {
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
