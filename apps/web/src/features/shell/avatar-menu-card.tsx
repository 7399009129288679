import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import {
  BookOpen,
  CodeXml,
  Gift,
  LogOut,
  type LucideIcon,
  Plus,
  Send,
  ShieldCheck,
  Sparkles,
  Star,
} from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { PoolShare } from '@/features/status';
import { type Answer, type CurrentUser, errorSentence, formatCount } from '@/shared/api';
import { Amount, BalanceCount, Button, Dialog, EmptyState, ErrorNote, Skeleton, Slider } from '@/shared/ui';
import { useBackgroundVisibility } from './background-visibility';
import { MemberAvatar } from './member-avatar';
import { useSignOutAction } from './use-sign-out-action';

/** The top of the rating scale, shown beside the member's own rating (rule screens-11). */
const RATING_TOP = '10.00';

const rowClasses =
  'flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-left text-sm font-medium text-ink-muted transition-colors hover:bg-sky-700 hover:text-ink';

interface MenuLink {
  to: string;
  label: string;
  /** What it is for, beneath its label. */
  hint?: string;
  icon: LucideIcon;
}

const moneyLinks: readonly MenuLink[] = [
  { to: '/wallet?topup=1', label: 'Top Up', hint: 'by card', icon: Plus },
  { to: '/wallet', label: 'Buy Gifts', hint: 'Nova to give', icon: Gift },
  { to: '/gifts?send=1', label: 'Send Gift', hint: 'to a member', icon: Send },
];

const adminLinks: readonly MenuLink[] = [
  { to: '/developer', label: 'Developer Portal', icon: CodeXml },
  { to: '/admin', label: 'Admin Panel', icon: ShieldCheck },
];

export interface AvatarMenuCardProps {
  user: CurrentUser;
  /** Called when a link was followed, so that the menu around the card can close. */
  onLeave?: () => void;
  /** Wide and low, for a page. */
  isCompact?: boolean;
}

/** The avatar menu card: who the member is, what they have, and links to all that is theirs (rule screens-11). */
export function AvatarMenuCard({ user, onLeave, isCompact = false }: AvatarMenuCardProps) {
  const [inventoryOpen, setInventoryOpen] = useState(false);
  return (
    <div className={clsx('grid grid-cols-1 gap-4', isCompact && 'md:grid-cols-2 md:gap-x-8')}>
      <MenuHead user={user} onLeave={onLeave} />
      <div className="grid grid-cols-1 content-between gap-4">
        <ul className="grid grid-cols-3 gap-2 cramped:grid-cols-1">
          {moneyLinks.map((link) => (
            <li key={link.label}>
              <MoneyLink {...link} onLeave={onLeave} />
            </li>
          ))}
        </ul>
        <ul className={clsx('-mx-1', isCompact && 'grid grid-cols-2 cramped:grid-cols-1')}>
          <li>
            <button type="button" className={rowClasses} onClick={() => setInventoryOpen(true)}>
              <Sparkles aria-hidden="true" className="size-4 text-influence" />
              <span>Influence Inventory</span>
            </button>
          </li>
          <MenuRow to="/quests" label="Daily Quests" icon={BookOpen} onLeave={onLeave} />
          {user.isAdmin && adminLinks.map((link) => <MenuRow key={link.to} {...link} onLeave={onLeave} />)}
        </ul>
      </div>
      <BackgroundSlider />
      <SignOutButton />
      <InfluenceInventoryDialog open={inventoryOpen} onOpenChange={setInventoryOpen} />
    </div>
  );
}

function SignOutButton() {
  const { signOut, isPending } = useSignOutAction();
  return (
    <Button
      variant="ghost"
      className="self-end border border-line"
      pending={isPending}
      icon={<LogOut aria-hidden="true" className="size-4" />}
      onClick={signOut}
    >
      Sign Out
    </Button>
  );
}

function MenuHead({ user, onLeave }: AvatarMenuCardProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex items-center gap-3 cramped:flex-wrap">
        <MemberAvatar user={user} size="lg" />
        <div className="min-w-0">
          <p className="truncate text-left text-base font-semibold" dir="auto">
            <Link to="/profile" onClick={onLeave} className="underline-offset-2 hover:underline">
              {user.displayName}
            </Link>
          </p>
          <p className="text-sm text-ink-muted tabular-nums">{user.followingCount} following</p>
        </div>
        <p className="ml-auto shrink-0 text-right tabular-nums">
          <span className="flex items-center justify-end gap-1 text-base font-semibold">
            <Star aria-hidden="true" className="size-4 fill-nova text-nova" />
            <span className="sr-only">Rating </span>
            {user.rating.toFixed(2)}
          </span>
          <span className="text-xs text-ink-muted">
            <span className="sr-only">of </span>
            <span aria-hidden="true">/ </span>
            {RATING_TOP}
          </span>
        </p>
      </div>
      <div className="rounded-md bg-sky-700/60 px-4 py-3 cramped:px-2">
        <p className="text-xs text-ink-muted">Nova balance</p>
        <BalanceCount quiet value={user.novaBalance} className="text-xl font-semibold cramped:text-lg" />
      </div>
    </div>
  );
}

function MoneyLink({ to, label, hint, icon: Icon, onLeave }: MenuLink & { onLeave?: (() => void) | undefined }) {
  const isMain = to === '/wallet?topup=1';
  return (
    <Link
      to={to}
      onClick={onLeave}
      className={clsx(
        'grid min-h-18 content-center justify-items-center gap-1 rounded-md px-1 text-center text-sm transition-colors',
        isMain
          ? 'bg-nova font-semibold text-on-nova hover:bg-nova-bright'
          : 'border border-line bg-sky-700 font-medium hover:border-line-strong',
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
      <span>{label}</span>
      <span className={clsx('-mt-1 text-xs font-normal', !isMain && 'text-ink-muted')}>{hint}</span>
    </Link>
  );
}

function MenuRow({ to, label, icon: Icon, onLeave }: MenuLink & { onLeave?: (() => void) | undefined }) {
  return (
    <li>
      <Link to={to} onClick={onLeave} className={rowClasses}>
        <Icon aria-hidden="true" className="size-4" />
        <span>{label}</span>
      </Link>
    </li>
  );
}

function BackgroundSlider() {
  const [percent, setPercent] = useBackgroundVisibility();
  return (
    <div className="border-t border-line pt-3">
      <div className="flex justify-between text-sm">
        <span className="text-ink-muted">Background visibility</span>
        <span className="tabular-nums">{percent}%</span>
      </div>
      <Slider label="Background visibility" value={percent} valueText={`${percent}%`} onValueChange={setPercent} />
    </div>
  );
}

interface InfluenceInventoryDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Influence Inventory (rule status-7): points held, share of the pool, rewards so far; the same for Karma. */
function InfluenceInventoryDialog({ open, onOpenChange }: InfluenceInventoryDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Influence Inventory"
      description="Tokens that earn a share of what others pay, as long as you hold them."
    >
      <Inventory />
    </Dialog>
  );
}

function Inventory() {
  const inventory = useQuery<Answer<'/api/status/influence'>>({ queryKey: ['/api/status/influence'], gcTime: 0 });
  if (inventory.isError) {
    return (
      <ErrorNote onRetry={() => void inventory.refetch()} retrying={inventory.isFetching}>
        {errorSentence(inventory.error, 'Your tokens could not be loaded.')}
      </ErrorNote>
    );
  }
  const { data } = inventory;
  if (data === undefined) return <Skeleton className="h-56" />;
  const hasNothing = data.points === 0 && data.karma.points === 0 && data.threads.count === 0 && data.rewardsPaid === 0;
  if (hasNothing) {
    return (
      <EmptyState
        icon={Sparkles}
        title="No Influence yet"
        text="You earn Influence when your chats succeed. Its holders share half of every gift and card payment."
        className="pt-2 pb-6"
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Share name="Influence" colour="text-influence" share={data} />
      <Share name="Karma" colour="text-karma" share={data.karma} />
      <section aria-label="Threads" className="rounded-md border border-line p-4">
        <h3 className="text-sm font-semibold text-ink">Threads</h3>
        <Facts
          facts={[
            ['Hosts whose chats you share', String(data.threads.count)],
            ['Rewards so far', data.threads.rewardsPaid],
            ['Not yet credited', data.threads.rewardsOwed],
          ]}
        />
      </section>
    </div>
  );
}

function Share({ name, colour, share }: { name: string; colour: string; share: PoolShare }) {
  return (
    <section aria-label={name} className="rounded-md border border-line p-4">
      <h3 className="flex items-baseline justify-between text-sm font-semibold text-ink">
        {name}
        <span className={`text-lg tabular-nums ${colour}`}>{formatCount(share.points)}</span>
      </h3>
      <Facts
        facts={[
          ['Share of the pool', `${share.sharePercent}% of ${formatCount(share.totalPoints)}`],
          ['Rewards so far', share.rewardsPaid],
          ['Not yet credited', share.rewardsOwed],
        ]}
      />
    </section>
  );
}

function Facts({ facts }: { facts: readonly (readonly [name: string, value: string | number])[] }) {
  return (
    <dl className="mt-2 grid gap-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="text-ink-muted">{name}</dt>
          <dd className="text-ink tabular-nums">{typeof value === 'number' ? <Amount value={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}
