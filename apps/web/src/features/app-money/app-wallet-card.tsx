import { ArrowDownToLine, ArrowUpFromLine } from 'lucide-react';
import { useState } from 'react';
import type { Application, AppWallet } from '@/features/oauth/application-types';
import { errorSentence, useCurrentUser } from '@/shared/api';
import { Amount, BalanceCount, Button, Card, ErrorNote, Skeleton } from '@/shared/ui';
import { AppWalletStatement } from './app-wallet-statement';
import { MoveNovaDialog } from './move-nova-dialog';
import { useAppWallet, type WalletMove } from './use-app-wallet';

/** The application's wallet: what members spend comes in, what it pays them goes out (rule apps-8). */
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
