import {
  ArrowDownLeft,
  ArrowDownToLine,
  ArrowUpFromLine,
  ArrowUpRight,
  ReceiptText,
  Undo2,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import type { Application, AppWallet, AppWalletEntry } from '@/features/oauth/application-types';
import { errorSentence, useCurrentUser } from '@/shared/api';
import {
  Amount,
  BalanceCount,
  Button,
  Card,
  EmptyState,
  ErrorNote,
  LoadMore,
  RelativeTime,
  Skeleton,
} from '@/shared/ui';
import { MoveNovaDialog } from './move-nova-dialog';
import { useAppWallet, useAppWalletStatement, type WalletMove } from './use-app-wallet';

/** The application's wallet: it receives what members spend and pays what the application gives them (rule apps-8). */
export function AppWalletCard({ application: { clientId } }: { application: Application }) {
  const wallet = useAppWallet(clientId);
  const { data: user } = useCurrentUser();
  const [move, setMove] = useState<WalletMove | null>(null);
  const { data } = wallet;
  return (
    <Card flush aria-label="Application wallet">
      <div className="grid gap-5 p-4 sm:p-6">
        {data === undefined && wallet.error !== null ? (
          <ErrorNote onRetry={() => void wallet.refetch()} retrying={wallet.isFetching}>
            {errorSentence(wallet.error, 'The wallet could not be loaded.')}
          </ErrorNote>
        ) : (
          <>
            <div className="flex flex-wrap items-end justify-between gap-4">
              <div>
                <h2 className="text-sm font-medium text-ink-muted">Application wallet</h2>
                <p className="mt-1 font-display text-xl font-semibold text-ink sm:text-2xl">
                  {data === undefined ? <Skeleton className="h-12 w-48" /> : <BalanceCount value={data.balance} />}
                </p>
              </div>
              <div className="flex gap-2">
                <Button
                  icon={<ArrowUpFromLine aria-hidden="true" className="size-4" />}
                  disabled={data === undefined || data.balance <= 0}
                  onClick={() => setMove('withdraw')}
                >
                  Withdraw
                </Button>
                <Button
                  variant="primary"
                  icon={<ArrowDownToLine aria-hidden="true" className="size-4" />}
                  disabled={data === undefined}
                  onClick={() => setMove('fund')}
                >
                  Fund
                </Button>
              </div>
            </div>
            <Totals wallet={data} />
          </>
        )}
      </div>
      <AppWalletStatement clientId={clientId} />
      {data !== undefined && user && (
        <MoveNovaDialog
          clientId={clientId}
          move={move}
          available={move === 'fund' ? user.novaBalance : data.balance}
          walletBalance={data.balance}
          onClose={() => setMove(null)}
        />
      )}
    </Card>
  );
}

const TOTALS = [
  { name: 'spent', label: 'Spent by members' },
  { name: 'paid', label: 'Paid to members' },
  { name: 'funded', label: 'Funded' },
  { name: 'withdrawn', label: 'Withdrawn' },
] as const;

function Totals({ wallet }: { wallet: AppWallet | undefined }) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 border-t border-line pt-4 sm:grid-cols-4">
      {TOTALS.map(({ name, label }) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-ink-faint">{label}</dt>
          <dd className="mt-0.5 text-sm font-semibold text-ink">
            {wallet === undefined ? <Skeleton className="h-5 w-20" /> : <Amount value={wallet.totals[name]} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface EntryKind {
  icon: LucideIcon;
  label: string;
  /** Whether the movement went into the wallet. */
  isIn: boolean;
}

const KINDS: Record<AppWalletEntry['type'], EntryKind> = {
  spend: { icon: ArrowDownLeft, label: 'Spent by', isIn: true },
  earn: { icon: ArrowUpRight, label: 'Paid to', isIn: false },
  fund: { icon: ArrowDownToLine, label: 'Funded by', isIn: true },
  withdraw: { icon: ArrowUpFromLine, label: 'Withdrawn by', isIn: false },
  spend_reversed: { icon: Undo2, label: 'Returned by an administrator to', isIn: false },
  earn_reversed: { icon: Undo2, label: 'Taken back by an administrator from', isIn: true },
};

/** The movements of an application's wallet, with the person behind each. */
function AppWalletStatement({ clientId }: { clientId: string }) {
  const statement = useAppWalletStatement(clientId);
  const entries = statement.data?.pages.flatMap((page) => page.entries);
  const failure = statement.isError ? errorSentence(statement.error, 'The statement could not be loaded.') : null;
  if (statement.isPending) return <SkeletonRows />;
  if (entries === undefined) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void statement.refetch()} retrying={statement.isFetching}>
        {failure}
      </ErrorNote>
    );
  }
  if (entries.length === 0) {
    return (
      <div className="border-t border-line">
        <EmptyState
          icon={ReceiptText}
          title="No movements yet"
          text="What members spend in the application arrives here. Fund the wallet before the application pays them."
        />
      </div>
    );
  }
  return (
    <>
      <ul aria-label="Wallet statement" className="divide-y divide-line border-t border-line">
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
      <LoadMore list={statement} failure={statement.isFetchNextPageError ? failure : null} />
    </>
  );
}

function EntryRow({ entry }: { entry: AppWalletEntry }) {
  const { icon: Icon, label, isIn } = KINDS[entry.type];
  return (
    <li className="flex min-h-18 items-center gap-3 px-4 py-3 sm:px-6">
      <span className="grid size-10 shrink-0 place-items-center rounded-full border border-line bg-sky-700 text-ink-muted">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-sm font-medium text-ink">
          {label} <bdi>{entry.member?.displayName ?? 'a deleted member'}</bdi>
        </p>
        <p className="mt-0.5 line-clamp-2 text-xs text-ink-faint">
          <RelativeTime iso={entry.createdAt} />
          {entry.description !== null && (
            <span>
              {' · '}
              <bdi>{entry.description}</bdi>
            </span>
          )}
        </p>
      </div>
      <Amount value={isIn ? entry.amount : -entry.amount} signed bare className="shrink-0 text-sm font-semibold" />
    </li>
  );
}

function SkeletonRows() {
  return (
    <ul aria-label="Loading the statement" aria-busy="true" className="divide-y divide-line border-t border-line">
      {['w-40', 'w-56', 'w-32'].map((width) => (
        <li key={width} className="flex min-h-18 items-center gap-3 px-4 py-3 sm:px-6">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <div className="grid gap-2">
            <Skeleton className={`h-4 max-w-full ${width}`} />
            <Skeleton className="h-3 w-24" />
          </div>
          <Skeleton className="ml-auto h-4 w-20" />
        </li>
      ))}
    </ul>
  );
}
