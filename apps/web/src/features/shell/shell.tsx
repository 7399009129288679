import { clsx } from 'clsx';
import { Activity, CircleUser, Compass, type LucideIcon, Newspaper, Share2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { NoticesBell } from '@/features/notices/notices-bell';
import { useInboundChatCount } from '@/features/main/inbound-chats';
import { type MainTab, useMainTab } from '@/features/main/main-tabs';
import type { CurrentUser } from '@/shared/api';
import { BalanceCount, NovaMark } from '@/shared/ui';
import { AvatarMenuCard } from './avatar-menu-card';
import { MemberAvatar } from './member-avatar';
import { NightSky } from './night-sky';
import { useFillsScreen, useVisibleHeight } from '@/shared/hooks/whole-screen';

/** The frame of every signed-in page: top bar, tabs, night sky, and the page in the middle. */
export function Shell({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(main);
  const fillsScreen = useFillsScreen();
  useVisibleHeight(fillsScreen);
  return (
    <div
      data-fills-screen={fillsScreen || undefined}
      className={
        fillsScreen ? 'fixed inset-x-0 top-(--visible-top,0px) flex h-(--visible-height,100dvh) flex-col' : 'contents'
      }
    >
      <NightSky />
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-sm bg-nova px-4 py-2 text-sm font-semibold text-on-nova focus:translate-y-0"
      >
        Skip to content
      </a>
      <header
        className={clsx(
          'z-20 border-b border-line bg-sky-950/90 backdrop-blur-sm tall:sticky tall:top-0 print:hidden',
          // On a phone, or where there is little height, the page has all of it.
          fillsScreen && 'hidden tall:sm:block',
        )}
      >
        <div className="mx-auto flex h-16 max-w-[1200px] items-center justify-between gap-3 px-4 cramped:gap-1 md:px-6 lg:gap-6">
          <Link
            to="/"
            className="flex min-h-11 items-center gap-2 rounded-sm font-display text-lg font-semibold tracking-tight"
          >
            <NovaMark className="size-5" /> <span className="max-[23rem]:sr-only sm:max-md:sr-only">Nova</span>
          </Link>
          <div className="flex-1">
            <Navigation place="top" />
          </div>
          <div className="flex items-center gap-1 sm:gap-2">
            <NoticesBell />
            <AccountMenu user={user} />
          </div>
        </div>
      </header>
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className={clsx(
          'mx-auto w-full max-w-[1200px] print:p-0',
          fillsScreen
            ? 'flex min-h-0 flex-1 flex-col outline-none xl:border-x xl:border-line'
            : 'px-4 pt-6 pb-28 sm:px-6 sm:pt-8 sm:pb-16',
        )}
      >
        {children}
      </main>
      {!fillsScreen && <Navigation place="bottom" />}
    </div>
  );
}

/** A new page or main tab starts at its top, for both scrolling and the keyboard's focus. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const page = `${pathname} ${useMainTab()}`;
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page, main]);
}

/** The balance in the top bar, which opens the avatar menu card. */
function AccountMenu({ user }: { user: CurrentUser }) {
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

const tabs: readonly { tab: MainTab; to: string; label: string; icon: LucideIcon }[] = [
  { tab: 'discover', to: '/', label: 'Discover', icon: Compass },
  { tab: 'feed', to: '/feed', label: 'Feed', icon: Newspaper },
  { tab: 'status', to: '/?tab=status', label: 'Status', icon: Activity },
  { tab: 'nexus', to: '/?tab=nexus', label: 'Nexus', icon: Share2 },
  { tab: 'profile', to: '/?tab=profile', label: 'Profile', icon: CircleUser },
];

/** The main tabs (rule screens-6): in the top bar or, on a phone, at the bottom within the thumb's reach. */
function Navigation({ place }: { place: 'top' | 'bottom' }) {
  const current = useMainTab();
  const inbound = useInboundChatCount();
  const atBottom = place === 'bottom';
  return (
    <nav
      aria-label="Main"
      className={
        atBottom
          ? 'z-20 border-t border-line bg-sky-950/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-sm sm:hidden tall:fixed tall:inset-x-0 tall:bottom-0 print:hidden'
          : 'hidden sm:block'
      }
    >
      <ul className={atBottom ? 'grid grid-cols-5' : 'flex md:gap-1'}>
        {tabs.map(({ tab, to, label, icon: Icon }) => (
          <li key={tab}>
            <Link
              to={to}
              aria-current={current === tab ? 'page' : undefined}
              className={clsx(
                'flex items-center justify-center rounded-sm font-medium whitespace-nowrap text-ink-muted transition-colors hover:text-ink aria-[current=page]:text-ink',
                atBottom
                  ? 'min-h-14 flex-col gap-1 text-xs aria-[current=page]:text-nova cramped:text-[0.5rem]'
                  : 'min-h-10 gap-2 px-2 text-sm hover:bg-sky-800 lg:px-3 aria-[current=page]:bg-sky-700',
              )}
            >
              <Icon aria-hidden="true" className={atBottom ? 'size-5' : 'size-4 max-lg:hidden'} />
              <span>
                {label} {tab === 'status' && <StatusCount count={inbound} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function StatusCount({ count }: { count: number }) {
  return (
    <span
      className={clsx(
        'ml-0.5 rounded-full px-1.5 py-0.5 text-xs tabular-nums',
        count > 0 ? 'bg-nova font-semibold text-on-nova' : 'bg-sky-700 text-ink-muted',
      )}
    >
      {count}
      <span className="sr-only">{count === 1 ? ' inbound chat' : ' inbound chats'}</span>
    </span>
  );
}
