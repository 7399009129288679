import { clsx } from 'clsx';
import { Check, Clock, Gift } from 'lucide-react';
import { useRef, useSyncExternalStore } from 'react';
import { sayAmount } from '@/shared/api';
import { steppedClock } from '@/shared/hooks/stepped-clock';
import {
  Badge,
  Button,
  errorToast,
  formatDateTime,
  formatExactTime,
  NovaMark,
  ProgressBar,
  Skeleton,
  toast,
} from '@/shared/ui';
import type { QuestEntry } from './quest-entries';
import { formatCount, questKind } from './quest-kinds';
import { timeRemaining } from './time-remaining';
import { useClaimReward } from './use-quests';

const TONES = { 'in progress': 'nova', claimable: 'gain', claimed: 'gain', missed: 'faint' } as const;

/** One quest: the goal, the member's progress and the reward (rule quests-9). */
export function QuestCard({ entry }: { entry: QuestEntry }) {
  const { quest, state } = entry;
  const { counting } = questKind(quest.rules.type);
  const isClaimable = state === 'claimable';
  return (
    <li
      tabIndex={-1}
      className={clsx(
        'flex flex-col gap-4 rounded-lg border bg-sky-800 p-4 transition-colors sm:p-6',
        isClaimable ? 'border-nova/50' : 'border-line',
      )}
    >
      <QuestHead entry={entry} />
      <p className="text-left text-sm whitespace-pre-line text-ink-muted" dir="auto">
        {quest.description}
      </p>
      {counting !== undefined && <p className="text-left text-xs text-ink-faint">{counting}</p>}
      <div className="mt-auto grid grid-cols-1 gap-4">
        <QuestMeter entry={entry} />
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-3 sm:min-h-10">
          <p
            className={clsx(
              'flex items-center gap-2 text-sm font-semibold tabular-nums',
              state === 'missed' ? 'text-ink-faint' : 'text-nova',
            )}
          >
            <Gift aria-hidden="true" className="size-4" />
            <span className="sr-only">Reward: </span>
            {sayAmount(quest.reward)}
          </p>
          <QuestStanding entry={entry} />
        </div>
      </div>
    </li>
  );
}

function QuestHead({ entry: { quest, state } }: { entry: QuestEntry }) {
  const { title, icon: Icon } = questKind(quest.rules.type);
  const remaining = timeRemaining(quest.endTime, useServerMinute());
  return (
    <div className="flex items-start gap-3 cramped:flex-wrap">
      <span
        className={clsx(
          'relative grid size-11 shrink-0 place-items-center rounded-full border',
          state === 'claimable' ? 'border-nova/50 bg-nova/15 text-nova' : 'border-line bg-sky-700 text-ink-muted',
        )}
      >
        <Icon aria-hidden="true" className="size-5" />
        {state === 'claimable' && <CompletionStars />}
      </span>
      <div className="min-w-0 flex-1 cramped:basis-full">
        <h3 className="text-left text-base font-semibold text-ink" dir="auto">
          {quest.title}
        </h3>
        <p className="mt-0.5 text-xs text-ink-faint">{title}</p>
      </div>
      <p
        title={`Ends ${formatExactTime(quest.endTime)}`}
        className="flex min-h-6 shrink-0 items-center gap-1.5 text-xs text-ink-muted tabular-nums"
      >
        <Clock aria-hidden="true" className="size-3.5" />
        <span className="sr-only">Time remaining: </span>
        {remaining}
      </p>
    </div>
  );
}

function QuestMeter({ entry: { quest, state, progress } }: { entry: QuestEntry }) {
  const { type } = quest.rules;
  if (progress === undefined) {
    return (
      <div className="grid grid-cols-1 gap-2" aria-busy="true">
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-2 w-full rounded-full" />
        <Skeleton className="h-4 w-24" />
      </div>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      <p className="flex items-baseline justify-between gap-x-3 text-sm cramped:flex-wrap text-ink-muted">
        Progress
        <span className="text-ink tabular-nums">
          {formatCount(type, Math.min(progress.current, quest.rules.target))} / {formatCount(type, quest.rules.target)}
        </span>
      </p>
      <ProgressBar label={`Progress of ${quest.title}`} value={progress.percent} tone={TONES[state]} />
      <p className="text-xs text-ink-faint tabular-nums">{progress.percent}% Complete</p>
    </div>
  );
}

/** A placeholder in the shape of a card until the quests have loaded. */
export function QuestCardSkeleton() {
  return (
    <li className="grid grid-cols-1 gap-4 rounded-lg border border-line bg-sky-800 p-4 sm:p-6">
      <div className="flex items-center gap-3">
        <Skeleton className="size-11 rounded-full" />
        <div className="grid flex-1 grid-cols-1 gap-2">
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-3 w-24" />
        </div>
      </div>
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-2 w-full rounded-full" />
      <Skeleton className="h-10 w-full" />
    </li>
  );
}

const clock = steppedClock(10_000);

/** The server's time in steps of ten seconds, because the time left is shown to the minute. */
const useServerMinute = (): number => useSyncExternalStore(clock.subscribe, clock.nowMs);

/** Where and when the stars fly. */
const STARS = [
  'left-1/2 top-0 [--to-x:-6px] [--to-y:-22px]',
  'right-0 top-1 [--to-x:20px] [--to-y:-12px] [animation-delay:90ms]',
  'right-0 bottom-1 [--to-x:18px] [--to-y:14px] [animation-delay:180ms]',
  'left-0 bottom-0 [--to-x:-16px] [--to-y:16px] [animation-delay:60ms]',
  'left-0 top-1 [--to-x:-20px] [--to-y:-10px] [animation-delay:140ms]',
];

/** A few stars leave a completed quest, once. With reduced motion, nothing moves. */
function CompletionStars() {
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-0 motion-reduce:hidden">
      {STARS.map((place) => (
        <NovaMark key={place} className={`absolute size-2.5 animate-scatter ${place}`} />
      ))}
    </span>
  );
}

/** The member's state in a quest: In Progress, Claim, Claimed (rule quests-10). */
function QuestStanding({ entry }: { entry: QuestEntry }) {
  const { quest, state, progress } = entry;
  switch (state) {
    case 'claimable':
      return (
        <div className="flex items-center gap-3">
          {!quest.isActive && progress && (
            <p className="text-xs text-ink-faint">until {formatDateTime(progress.claimableUntil)}</p>
          )}
          <ClaimButton questId={quest.id} title={quest.title} />
        </div>
      );
    case 'claimed':
      return (
        <Badge tone="gain">
          <Check aria-hidden="true" className="size-3.5" />
          Claimed
        </Badge>
      );
    case 'in progress':
      return <Badge>In Progress</Badge>;
    case 'missed':
      return <Badge>Expired</Badge>;
  }
}

function ClaimButton({ questId, title }: { questId: string; title: string }) {
  const claim = useClaimReward(questId);
  // The second of two quick presses comes before the first is seen to be pending.
  const isSent = useRef(false);

  // Awaited, because this button is gone once the answer is there, and callbacks of `mutate` would be gone with it.
  const send = async (card: HTMLElement | null) => {
    if (isSent.current) return;
    isSent.current = true;
    try {
      const { message } = await claim.mutateAsync();
      toast({ title: 'Reward Claimed!', description: message });
      // Keyboard users stay at the quest.
      card?.focus();
    } catch (error) {
      isSent.current = false;
      errorToast('Failed to claim reward', error);
    }
  };
  return (
    <Button
      variant="primary"
      pending={claim.isPending}
      aria-label={`Claim the reward of ${title}`}
      onClick={({ currentTarget }) => void send(currentTarget.closest('li'))}
    >
      Claim
    </Button>
  );
}
