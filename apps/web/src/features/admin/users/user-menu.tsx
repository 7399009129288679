import { clsx } from 'clsx';
import {
  Ban,
  EllipsisVertical,
  KeyRound,
  ListFilter,
  MessageSquareText,
  Minus,
  Plus,
  RectangleEllipsis,
  ShieldCheck,
  ShieldOff,
  Star,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { buttonClasses } from '@/shared/ui';
import { useStartUserAction, type UserAction } from './user-actions';
import type { AdminUser } from '../use-admin';

interface Entry {
  action: UserAction;
  label: string;
  icon: LucideIcon;
}

const GROUPS: readonly (readonly Entry[])[] = [
  [
    { action: 'add', label: 'Add Nova', icon: Plus },
    { action: 'deduct', label: 'Deduct Nova', icon: Minus },
    { action: 'transactions', label: 'Show transactions', icon: ListFilter },
  ],
  [
    { action: 'comments', label: 'Comments', icon: MessageSquareText },
    { action: 'rating', label: 'Change Rating', icon: Star },
  ],
  [
    { action: 'password', label: 'Reset Password', icon: KeyRound },
    { action: 'pin', label: 'Reset PIN', icon: RectangleEllipsis },
  ],
  [
    { action: 'make-admin', label: 'Make Admin', icon: ShieldCheck },
    { action: 'unmake-admin', label: 'Take Admin Rights', icon: ShieldOff },
    { action: 'block', label: 'Block E-mail', icon: Ban },
    { action: 'delete', label: 'Delete Account', icon: Trash2 },
  ],
];

const isShown = (action: UserAction, { isAdmin }: AdminUser): boolean =>
  action === 'make-admin' ? !isAdmin : action !== 'unmake-admin' || isAdmin;

/** All actions on a user. Admins cannot be deleted. */
export function UserMenu({ user }: { user: AdminUser }) {
  const start = useStartUserAction();
  const chosen = useRef<UserAction>(null);
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={`Actions for ${user.displayName}`}
        className={buttonClasses({ variant: 'ghost', size: 'icon' })}
      >
        <EllipsisVertical aria-hidden="true" className="size-4" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={12}
          // Open the dialog only now: if it opened before the menu returned the focus, it would lose it again.
          onCloseAutoFocus={() => {
            if (chosen.current !== null) start(chosen.current, user);
            chosen.current = null;
          }}
          className="z-30 min-w-52 animate-appear rounded-md border border-line bg-sky-700 p-1 shadow-raised"
        >
          {GROUPS.map((entries, index) => (
            <DropdownMenu.Group
              key={entries[0]?.action}
              className={clsx(index > 0 && 'mt-1 border-t border-line pt-1')}
            >
              {entries
                .filter(({ action }) => isShown(action, user))
                .map(({ action, label, icon: Icon }) => (
                  <DropdownMenu.Item
                    key={action}
                    disabled={action === 'delete' && user.isAdmin}
                    onSelect={() => {
                      chosen.current = action;
                    }}
                    className={clsx(
                      'flex min-h-11 cursor-default items-center gap-2 rounded-sm px-3 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-sky-800 sm:min-h-9',
                      action === 'delete' ? 'text-loss' : 'text-ink',
                    )}
                  >
                    <Icon aria-hidden="true" className="size-4" />
                    {label}
                  </DropdownMenu.Item>
                ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
