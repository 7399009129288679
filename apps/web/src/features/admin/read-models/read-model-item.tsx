import { RotateCw } from 'lucide-react';
import { formatCount } from '@/shared/api';
import { Badge, Button, ProgressBar, RelativeTime } from '@/shared/ui';
import { type ReadModel, type Rebuild, useRebuild } from './use-read-models';

const STATES = {
  live: { tone: 'gain', label: 'Live' },
  standby: { tone: 'gain', label: 'Live' },
  rebuilding: { tone: 'hold', label: 'Rebuilding' },
  failing: { tone: 'loss', label: 'Failing' },
} as const;
const UNDER_WAY = {
  reading: 'Reading the journal',
  indexing: 'Writing indexes',
  comparing: 'Comparing with the live rows',
  swapping: 'Replacing the live rows',
} as const;

const isUnderWay = (phase: Rebuild['phase']): phase is keyof typeof UNDER_WAY => phase in UNDER_WAY;

/** One read model: how far it is, and the result of its last rebuild. */
export function ReadModelItem({ model }: { model: ReadModel }) {
  const { name, state, lagEvents, isOfOtherVersion, error, lastRebuild } = model;
  const rebuild = useRebuild();
  const { tone, label } = STATES[state];
  const meaning = READ_MODEL_MEANINGS[name];
  const isRunning = lastRebuild !== null && isUnderWay(lastRebuild.phase);
  return (
    <li
      aria-label={name}
      className="flex items-start gap-4 px-4 py-3 text-sm cramped:flex-wrap sm:items-center sm:gap-6 sm:px-6"
    >
      <div className="min-w-0 flex-1 cramped:basis-full">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-mono text-ink">{name}</span>
          <Badge tone={tone}>{label}</Badge>
          {isOfOtherVersion && <Badge tone="hold">Of another release</Badge>}
        </p>
        {meaning !== undefined && <p className="mt-1 text-ink-muted">{meaning}</p>}
        <p className="mt-1 text-xs text-ink-faint tabular-nums">
          {lagEvents === 0 ? 'Up to date' : `${formatCount(lagEvents)} ${lagEvents === 1 ? 'event' : 'events'} behind`}
        </p>
        {error !== null && <p className="mt-1 max-w-prose wrap-anywhere text-loss">{error}</p>}
        {lastRebuild !== null && <LastRebuild name={name} rebuild={lastRebuild} />}
      </div>
      <Button
        size="sm"
        icon={<RotateCw aria-hidden="true" className="size-4" />}
        aria-label={`Rebuild ${name}`}
        pending={rebuild.isPending || isRunning}
        onClick={() => rebuild.mutate(name)}
      >
        Rebuild
      </Button>
    </li>
  );
}

function LastRebuild({ name, rebuild }: { name: string; rebuild: Rebuild }) {
  const { phase, eventsDone, eventsTotal, updatedAt, outcome } = rebuild;
  if (isUnderWay(phase)) {
    return (
      <div className="mt-2 grid max-w-sm gap-1">
        <p className="text-xs text-ink-muted tabular-nums">
          <span>{UNDER_WAY[phase]}</span>
          {phase === 'reading' && (
            <span>
              : {formatCount(eventsDone)} of {formatCount(eventsTotal)}
            </span>
          )}
        </p>
        <ProgressBar label={`Rebuild of ${name}`} value={eventsDone} max={Math.max(eventsTotal, 1)} />
      </div>
    );
  }
  return (
    <p className="mt-1 max-w-prose text-xs wrap-anywhere text-ink-muted">
      {outcome === '' ? 'The last rebuild was interrupted. The live rows have not changed.' : outcome}
      {' · '}
      <RelativeTime iso={updatedAt} />
    </p>
  );
}

/** What each read model is used for, in a few words. */
const READ_MODEL_MEANINGS: Readonly<Record<string, string>> = {
  applications: 'What applications earned, spent and hold',
  audit: 'What admins did, and why',
  balances: 'What members hold, and what pools owe them',
  cards: 'Discovery: cards, their order, unlocks and walls',
  chats: 'Where each chat stands',
  daily: 'Figures of each day for the charts',
  engagement: 'Likes, views and ratings of content, levels and perks',
  ledger_entries: 'Every entry in the books, for any past moment',
  follows: 'Who follows and who blocks whom',
  sent_gifts: 'Gifts sent and received',
  key_index: 'Idempotency keys that were used',
  member_chats: 'Chats of each member, and what came of them',
  pool_rewards: 'Rewards that pools paid out',
  posts: 'The feed, and what each post earned',
  quests: 'Quests, progress and claims',
  ratings: 'Ratings of members',
  statements: 'Statements of members, with running balances',
  threads: 'Threads between members, for the Nexus',
  totals: 'Nova in circulation, and what moved it',
};
