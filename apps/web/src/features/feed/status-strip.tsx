import { nextUtcDayMs } from '@app/domain';
import { clsx } from 'clsx';
import { ArrowUpToLine, Flame, Rocket, type LucideIcon } from 'lucide-react';
import { errorSentence, formatCount, serverNowMs } from '@/shared/api';
import { Button, ErrorNote, formatTimeOfDay, ProgressBar, Skeleton } from '@/shared/ui';
import { LEVELS } from './engagement-levels';
import type { StatusBar } from './feed-types';
import { useStatusBar } from './use-feed';
import { useTakePriority } from './use-post-actions';

/** The engagement status bar (rule feed-12). */
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
      {status.data === undefined ? <Skeleton className="h-40 rounded-md" /> : <Standing status={status.data} />}
    </section>
  );
}

const points = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

function Standing({ status }: { status: StatusBar }) {
  const { currentLevel, dailyPoints, dailyGoal, streakDays, boostTokens, prioritySlots } = status;
  const { icon: Icon, tone, reward, next } = LEVELS[currentLevel];
  const isReached = dailyPoints >= dailyGoal;
  return (
    <>
      <div className="flex items-center gap-3 cramped:flex-wrap">
        <span className={clsx('grid size-11 shrink-0 place-items-center rounded-full border', tone)}>
          <Icon aria-hidden="true" className="size-5" />
        </span>
        <div className="min-w-0 flex-1 cramped:basis-full">
          <h2 className="text-sm font-semibold text-ink">Level {currentLevel}</h2>
          <p className="text-xs text-ink-muted">{reward}</p>
          {next !== null && <p className="text-xs text-ink-faint">{next}</p>}
        </div>
        <p className="shrink-0 self-start text-right text-xs text-ink-muted tabular-nums cramped:text-left">
          <span className="text-lg font-semibold text-ink">{points.format(dailyPoints)}</span> / {dailyGoal}
          <span className="block">points today</span>
        </p>
      </div>
      <ProgressBar
        label={`Points today, of ${dailyGoal}`}
        value={dailyPoints}
        max={dailyGoal}
        tone={isReached ? 'gain' : 'nova'}
        className="mt-4"
      />
      <p className="mt-2 text-xs text-ink-faint">
        {isReached ? 'Today counts for your streak.' : `${dailyGoal} points make a streak day.`} The day ends at{' '}
        {formatTimeOfDay(nextUtcDayMs(serverNowMs()))}.
      </p>
      <dl className="mt-4 grid grid-cols-3 divide-line cramped:grid-cols-1 cramped:gap-3 not-cramped:divide-x">
        <Figure icon={Flame} name={streakDays === 1 ? 'streak day' : 'streak days'} count={streakDays} />
        <Figure icon={Rocket} name={boostTokens === 1 ? 'boost token' : 'boost tokens'} count={boostTokens} />
        <Figure
          icon={ArrowUpToLine}
          name={prioritySlots === 1 ? 'priority slot' : 'priority slots'}
          count={prioritySlots}
        />
      </dl>
      {prioritySlots > 0 && <UsePriority />}
    </>
  );
}

interface FigureProps {
  icon: LucideIcon;
  name: string;
  count: number;
}

function Figure({ icon: Icon, name, count }: FigureProps) {
  return (
    <div className="flex flex-col-reverse items-center gap-0.5 px-2 text-center cramped:flex-row-reverse cramped:justify-end cramped:gap-2 cramped:px-0">
      <dt className="text-xs text-ink-muted">{name}</dt>
      <dd
        className={clsx(
          'flex items-center gap-1.5 text-base font-semibold tabular-nums',
          count > 0 ? 'text-ink' : 'text-ink-faint',
        )}
      >
        <Icon aria-hidden="true" className={clsx('size-4', count > 0 && 'text-nova')} />
        {formatCount(count)}
      </dd>
    </div>
  );
}

function UsePriority() {
  const priority = useTakePriority();
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
      <p className="min-w-0 flex-1 text-xs text-ink-muted">
        Put your newest post first in everyone’s feed for an hour.
      </p>
      <Button size="sm" pending={priority.isPending} onClick={() => priority.mutate()}>
        Use priority slot
      </Button>
    </div>
  );
}
