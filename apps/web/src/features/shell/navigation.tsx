import { clsx } from 'clsx';
import { Activity, CircleUser, Compass, Share2, type LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useInboundChatCount } from '@/features/main/inbound-chats';
import { useMainTab, type MainTab } from '@/features/main/main-tabs';

const tabs: readonly { tab: MainTab; to: string; label: string; icon: LucideIcon }[] = [
  { tab: 'discover', to: '/', label: 'Discover', icon: Compass },
  { tab: 'status', to: '/?tab=status', label: 'Status', icon: Activity },
  { tab: 'nexus', to: '/?tab=nexus', label: 'Nexus', icon: Share2 },
  { tab: 'profile', to: '/?tab=profile', label: 'Profile', icon: CircleUser },
];

/** The main tabs (rule screens-6): in the top bar, or at the bottom within the thumb's reach on a phone. */
export function Navigation({ place }: { place: 'top' | 'bottom' }) {
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
      <ul className={atBottom ? 'grid grid-cols-4' : 'flex gap-1'}>
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
    <span className="ml-0.5 rounded-full bg-sky-700 px-1.5 py-0.5 text-xs text-ink-muted tabular-nums">
      {count}
      <span className="sr-only">{count === 1 ? ' inbound chat' : ' inbound chats'}</span>
    </span>
  );
}
