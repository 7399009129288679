import { Gem, Star, Timer, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount, formatNova, sayAmount } from '@/shared/api';
import { Skeleton } from '@/shared/ui';
import type { Dashboard } from './status-types';

/** Three figures: what all tokens are worth, how one is rated, and what waits for one's rating. */
export function DashboardTiles({ dashboard }: { dashboard: Dashboard | undefined }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-3 sm:gap-6">
      <Tile
        icon={Gem}
        label="Total token value"
        isLoading={dashboard === undefined}
        note="Seyvn: earned Nova + 10 × Influence + 5 × Karma"
      >
        {formatNova(dashboard?.seyvnValue ?? 0)}
      </Tile>
      <Tile icon={Star} label="Rating" isLoading={dashboard === undefined} note={dashboard && ratings(dashboard)}>
        {(dashboard?.rating ?? 0).toFixed(2)}
      </Tile>
      <Tile
        icon={Timer}
        label="Pending ratings"
        isLoading={dashboard === undefined}
        note={dashboard && waiting(dashboard.pendingRewards)}
      >
        {formatCount(dashboard?.pendingRatings ?? 0)}
      </Tile>
    </dl>
  );
}

const ratings = ({ ratingCount, completedChats: chats }: Dashboard): string =>
  `${ratingCount === 0 ? 'Nobody has rated you yet · ' : ''}${formatCount(chats)} completed ${chats === 1 ? 'chat' : 'chats'}`;

const waiting = (nova: number): string =>
  nova === 0 ? 'No Nova waits for them' : `${sayAmount(nova)} ${nova === 1 ? 'waits' : 'wait'} for them`;

interface TileProps {
  icon: LucideIcon;
  label: string;
  /** Absent while it loads. */
  note: string | undefined;
  isLoading: boolean;
  children: ReactNode;
}

function Tile({ icon: Icon, label, note, isLoading, children }: TileProps) {
  return (
    <div className="rounded-lg border border-line bg-sky-800 px-4 py-3 sm:py-4 lg:p-6">
      <dt className="flex items-center gap-2 text-sm text-ink-muted">
        <Icon aria-hidden="true" className="size-4" />
        {label}
      </dt>
      <dd className="mt-1 text-lg font-semibold text-ink tabular-nums sm:mt-2 lg:text-xl">
        {isLoading ? <Skeleton className="h-7 w-24 lg:h-8.5" /> : children}
      </dd>
      <dd className="mt-1 text-xs text-ink-faint">{note ?? <Skeleton className="h-4 w-32" />}</dd>
    </div>
  );
}
