import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { CurrentUser } from '@/shared/api';
import { BalanceCount } from '@/shared/ui';
import { AvatarMenuCard } from './avatar-menu-card';
import { MemberAvatar } from './member-avatar';

/** The balance pill of the top bar; it opens the avatar menu card. */
export function AccountMenu({ user }: { user: CurrentUser }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className="flex h-11 items-center gap-2 rounded-full border border-line bg-sky-800 py-1 pr-1 pl-4 cramped:px-2 text-sm font-semibold transition-colors hover:border-line-strong data-[state=open]:border-line-strong">
        <BalanceCount value={user.novaBalance} />
        <MemberAvatar user={user} size="sm" className="cramped:hidden" />
        <span className="sr-only">Account menu</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Account menu"
          className="z-30 max-h-(--radix-popover-content-available-height) w-[min(23rem,calc(100vw-24px))] animate-rise overflow-y-auto rounded-lg border border-line bg-sky-800 p-4 shadow-raised"
        >
          <AvatarMenuCard user={user} onLeave={() => setOpen(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
