import { clsx } from 'clsx';
import { Bell } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { clearToast } from '@/shared/ui';
import { NoticeList } from './notice-list';
import { useMarkNoticesRead, useNotices, useUnreadNotices } from './use-notices';

/** More are not counted one by one. */
const COUNTED_MAX = 99;

/** The bell in the top bar, which opens the notices (rule notices-1). What was shown is read once it closes. */
export function NoticesBell() {
  const [open, setOpen] = useState(false);
  const unread = useUnreadNotices();
  const { data } = useNotices(open);
  const { mutate: markRead } = useMarkNoticesRead();
  const change = (next: boolean) => {
    const newest = data?.notices[0];
    if (open && !next && newest && data.notices.some(({ isRead }) => !isRead)) markRead({ newestId: newest.id });
    // The list says the same, and a toast would cover it on a phone.
    if (next) clearToast();
    setOpen(next);
  };
  return (
    <Popover.Root open={open} onOpenChange={change}>
      <Popover.Trigger className="relative grid size-11 shrink-0 place-items-center rounded-full text-ink-muted transition-colors hover:bg-sky-800 hover:text-ink data-[state=open]:bg-sky-800 data-[state=open]:text-ink">
        <Bell aria-hidden="true" className="size-5" />
        <span className="sr-only">Notices</span>
        {unread > 0 && (
          <span className="absolute top-0.5 right-0 min-w-5 rounded-full bg-nova px-1 text-center text-xs leading-5 font-semibold text-on-nova tabular-nums">
            {unread > COUNTED_MAX ? `${COUNTED_MAX}+` : unread}
            <span className="sr-only"> unread</span>
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Notices"
          className={clsx(
            'z-30 flex max-h-[min(36rem,var(--radix-popover-content-available-height))] flex-col overflow-hidden',
            'w-[min(24rem,calc(100vw-24px))] animate-rise rounded-lg border border-line bg-sky-800 shadow-raised',
          )}
        >
          <NoticeList onLeave={() => change(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
