import { clsx } from 'clsx';
import { ArrowUpToLine, Flame, Rocket, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, ErrorNote, ProgressBar, Skeleton } from '@/shared/ui';
import { LEVELS } from './engagement-levels';
import type { StatusBar } from './feed-types';
import { useStatusBar } from './use-feed';
import { useTakePriority } from './use-post-actions';

/** The engagement status bar (S0 §2 Feed). */
export function StatusStrip() {
  const status = useStatusBar();
  if (status.data === undefined && status.isError) {
    return (
      <ErrorNote onRetry={() => void status.refetch()} retrying={status.isFetching}>
        {errorSentence(status.error, 'Your engagement could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <section
      aria-label="Your engagement"
      aria-busy={status.data === undefined}
      className="rounded-lg border border-line bg-sky-800 p-4 sm:p-5"
    >
      {status.data === undefined ? <Skeleton className="h-37 rounded-md sm:h-30" /> : <Standing status={status.data} />}
    </section>
  );
}

const points = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function Standing({ status }: { status: StatusBar }) {
  const { currentLevel, dailyPoints, dailyGoal } = status;
  const { icon: Icon, tone, reward, next } = LEVELS[currentLevel];
  const isReached = dailyPoints >= dailyGoal;
  return (
    <>
      <div className="flex items-center gap-3">
        <span className={clsx('grid size-11 shrink-0 place-items-center rounded-full border', tone)}>
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="text-sm font-semibold text-ink" title={next ?? undefined}>
            Level {currentLevel}
          </h2>
          <p className="text-xs text-ink-muted">{reward}</p>
        </div>
        <p className="shrink-0 text-right text-xs text-ink-muted tabular-nums">
          <span className="text-lg font-semibold text-ink">{points.format(dailyPoints)}</span> / {dailyGoal}
          <span className="block">points today</span>
        </p>
      </div>
      <ProgressBar
        label={`Points today, of ${dailyGoal}`}
        value={dailyPoints}
        max={dailyGoal}
        tone={isReached ? 'gain' : 'nova'}
        className="mt-3"
      />
      <Perks status={status} />
    </>
  );
}

function Perks({ status: { streakDays, boostTokens, prioritySlots, currentLevel } }: { status: StatusBar }) {
  const priority = useTakePriority();
  const { next } = LEVELS[currentLevel];
  return (
    <div className="mt-3 flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 text-xs text-ink-muted">
      <Figure icon={Flame} isLit={streakDays > 0}>
        {streakDays}-day streak
      </Figure>
      <Figure icon={Rocket} isLit={boostTokens > 0}>
        {boostTokens === 1 ? '1 boost token' : `${boostTokens} boost tokens`}
      </Figure>
      <Figure icon={ArrowUpToLine} isLit={prioritySlots > 0}>
        {prioritySlots === 1 ? '1 priority slot' : `${prioritySlots} priority slots`}
      </Figure>
      {prioritySlots > 0 ? (
        <Button size="sm" className="ml-auto" pending={priority.isPending} onClick={() => priority.mutate()}>
          Use priority slot
        </Button>
      ) : (
        next !== null && <span className="text-ink-faint sm:ml-auto">{next}</span>
      )}
    </div>
  );
}

interface FigureProps {
  icon: LucideIcon;
  /** There is something of it. */
  isLit: boolean;
  children: ReactNode;
}

function Figure({ icon: Icon, isLit, children }: FigureProps) {
  return (
    <span className={clsx('inline-flex items-center gap-1.5 tabular-nums', isLit ? 'text-ink' : 'text-ink-faint')}>
      <Icon aria-hidden="true" className={clsx('size-4', isLit && 'text-nova')} />
      {children}
    </span>
  );
}
