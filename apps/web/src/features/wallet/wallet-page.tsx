import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { Clock, History, Lock, Plus } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { ChatHistoryList } from '@/features/chats/payouts/chat-history-list';
import { type Answer, errorSentence, queryKeys } from '@/shared/api';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { useOpenFromAddress } from '@/shared/hooks/use-open-from-address';
import { loadPart, part } from '@/shared/part';
import {
  Amount,
  type AmountTone,
  Badge,
  BalanceCount,
  Button,
  buttonClasses,
  Card,
  ErrorNote,
  PageHeader,
  Skeleton,
  Tabs,
  TabsContent,
  TabsList,
  TabsTrigger,
} from '@/shared/ui';
import { Statement } from './statement-list';

// What is opened later, with the forms in it.
const ApplicationsTab = part(async () => (await import('../app-money/applications-tab')).ApplicationsTab);
const TopUpDialog = part(async () => (await import('../payments/top-up-dialog')).TopUpDialog);
const StatementDialog = part(async () => (await import('./statement-dialog')).StatementDialog);

const TABS = ['transactions', 'chats', 'applications'] as const;

/**
 * The Nova Wallet (rule wallet-6). `?topup=1` opens the Top Up dialog, `?statement=1` the statement of a month. The
 * address holds the tab, which survives a reload.
 */
export function WalletPage() {
  const [isTopUpOpen, setTopUpOpen] = useOpenFromAddress('topup');
  const [isStatementOpen, setStatementOpen] = useOpenFromAddress('statement');
  const [wasTopUpOpen, setWasTopUpOpen] = useState(false);
  if (isTopUpOpen && !wasTopUpOpen) setWasTopUpOpen(true);
  const [parameters, changeAddress] = useAddressParameters();
  const named = TABS.find((tab) => tab === parameters.get('tab'));

  return (
    <>
      <PageHeader
        title="Nova Wallet"
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <>
            <Link to="/payout-history" className={buttonClasses()}>
              <History aria-hidden="true" className="size-4" />
              Payout History
            </Link>
            <Button
              variant="primary"
              icon={<Plus aria-hidden="true" className="size-4" />}
              // What does not come now is asked for again by the click.
              onPointerEnter={() => void loadPart(TopUpDialog).catch(() => undefined)}
              onClick={() => setTopUpOpen(true)}
            >
              Top Up
            </Button>
          </>
        }
      />
      <Balances />
      <Card className="mt-6" flush>
        <Tabs
          value={named ?? 'transactions'}
          onValueChange={(tab) => changeAddress((address) => address.set('tab', tab))}
        >
          <TabsList className="px-2 pt-2 sm:px-4">
            <TabsTrigger value="transactions">Transactions</TabsTrigger>
            <TabsTrigger value="chats">Chat History</TabsTrigger>
            <TabsTrigger value="applications">Applications</TabsTrigger>
          </TabsList>
          <TabsContent value="transactions">
            <Statement onTopUp={() => setTopUpOpen(true)} onMonth={() => setStatementOpen(true)} />
          </TabsContent>
          <TabsContent value="chats" className="relative max-h-[600px] overflow-y-auto">
            <ChatHistoryList />
          </TabsContent>
          <TabsContent value="applications">
            <Suspense fallback={<Skeleton className="m-4 h-32 sm:m-6" />}>
              <ApplicationsTab />
            </Suspense>
          </TabsContent>
        </Tabs>
      </Card>
      <Suspense>{isStatementOpen && <StatementDialog onClose={() => setStatementOpen(false)} />}</Suspense>
      <Suspense>{wasTopUpOpen && <TopUpDialog open={isTopUpOpen} onOpenChange={setTopUpOpen} />}</Suspense>
    </>
  );
}

/**
 * Total, purchased and earned Nova, and what pools owe. Pending and held Nova stand apart, because the total does not
 * include them.
 */
function Balances() {
  const { data, error, isFetching, refetch } = useQuery<Answer<'/api/nova/balance'>>({
    queryKey: queryKeys.balance,
    refetchOnMount: 'always',
  });
  if (error !== null) {
    return (
      <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, 'Your balance could not be loaded.')}
      </ErrorNote>
    );
  }
  return (
    <Card aria-busy={data === undefined} aria-label="Balance" flush>
      <div className="grid gap-6 p-4 sm:p-6 lg:grid-cols-[minmax(16rem,1fr)_2fr] lg:items-center">
        <div>
          <h2 className="text-sm font-medium text-ink-muted">Nova balance</h2>
          <p className="mt-1 font-display text-xl font-semibold text-ink cramped:text-lg sm:text-2xl">
            {data === undefined ? <Skeleton className="h-12 w-56" /> : <BalanceCount quiet value={data.novaBalance} />}
          </p>
        </div>
        <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-3">
          <Part label="Purchased" value={data?.purchasedNova} note={<Badge>Non-refundable</Badge>} />
          <Part label="Earned" value={data?.earnedNova} note="Chats, gifts and quests" />
          <Part label="Rewards not yet credited" value={data?.owedNova} note="Credited when you spend them" />
        </dl>
      </div>
      <dl className="grid gap-x-6 gap-y-3 border-t border-line px-4 py-4 sm:grid-cols-2 sm:px-6 lg:grid-cols-[minmax(16rem,1fr)_2fr]">
        <Apart
          icon={<Clock aria-hidden="true" className="size-4 text-hold" />}
          label="Pending"
          note="until a chat is rated"
          value={data?.pendingNova}
        />
        <Apart
          icon={<Lock aria-hidden="true" className="size-4 text-hold" />}
          label="Held"
          note="for open chats and requests"
          value={data?.heldNova}
        />
      </dl>
    </Card>
  );
}

function Part({ label, value, note }: { label: string; value: number | undefined; note: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-x-3 cramped:flex-wrap sm:block">
      <dt className="text-sm text-ink-muted">
        {label}
        <span className="mt-1 block text-xs text-ink-faint sm:hidden">{note}</span>
      </dt>
      <dd className="text-right sm:mt-1 sm:text-left">
        <Figure value={value} className="text-lg font-semibold text-ink" />
        <span className="mt-1 hidden text-xs text-ink-faint sm:block">{note}</span>
      </dd>
    </div>
  );
}

function Apart({
  icon,
  label,
  note,
  value,
}: {
  icon: ReactNode;
  label: string;
  note: string;
  value: number | undefined;
}) {
  return (
    <div className="flex items-center gap-x-2 text-sm cramped:flex-wrap">
      {icon}
      <dt className="text-ink-muted">
        {label} <span className="text-ink-faint">{note}</span>
      </dt>
      <dd className="ml-auto lg:ml-2">
        <Figure value={value} className="font-medium" {...(value !== undefined && value > 0 && { tone: 'hold' })} />
      </dd>
    </div>
  );
}

function Figure({ value, className, tone }: { value: number | undefined; className: string; tone?: AmountTone }) {
  if (value === undefined) return <Skeleton className={clsx('inline-block h-5 w-24 align-middle', className)} />;
  return <Amount value={value} className={className} {...(tone !== undefined && { tone })} />;
}
