import { ArrowDownLeft, ArrowUpRight, Gift as GiftIcon, Sigma } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence, formatCount, type Schemas } from '@/shared/api';
import { useOpenFromAddress } from '@/shared/hooks/use-open-from-address';
import { Amount, Button, Card, ErrorNote, PageHeader, Skeleton } from '@/shared/ui';
import { GiftHistory } from './gift-history';
import { SendGiftDialog } from './send-gift-dialog';
import { useGiftHistory } from './use-gifts';

/** Gifts (rule gifts-6). `?send=1` opens the Send Gift dialog. */
export function GiftsPage() {
  const history = useGiftHistory();
  const [isSendOpen, setSendOpen] = useOpenFromAddress('send');
  const send = () => setSendOpen(true);
  const hasFailed = history.isError && history.data === undefined;
  return (
    <>
      <PageHeader
        title="Gifts"
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <Button variant="primary" icon={<GiftIcon aria-hidden="true" className="size-4" />} onClick={send}>
            Send Gift
          </Button>
        }
      />
      {hasFailed ? (
        <ErrorNote onRetry={() => void history.refetch()} retrying={history.isFetching}>
          {errorSentence(history.error, 'Your gifts could not be loaded.')}
        </ErrorNote>
      ) : (
        <>
          <Summary summary={history.data?.pages[0]?.summary} />
          <Card className="mt-6" title="Gift History" flush>
            <GiftHistory history={history} onSend={send} />
          </Card>
        </>
      )}
      <SendGiftDialog open={isSendOpen} onOpenChange={setSendOpen} />
    </>
  );
}

function Summary({ summary }: { summary: Schemas['GiftSummaryDto'] | undefined }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-3 sm:gap-6">
      <Tile icon={ArrowUpRight} label="Gifts Sent" isLoading={summary === undefined}>
        {summary && formatCount(summary.sentCount)}
      </Tile>
      <Tile icon={ArrowDownLeft} label="Gifts Received" isLoading={summary === undefined}>
        {summary && formatCount(summary.receivedCount)}
      </Tile>
      <Tile icon={Sigma} label="Total Sent" isLoading={summary === undefined}>
        <Amount value={summary?.totalSent ?? 0} />
      </Tile>
    </dl>
  );
}

interface TileProps {
  icon: LucideIcon;
  label: string;
  isLoading: boolean;
  children: ReactNode;
}

function Tile({ icon: Icon, label, isLoading, children }: TileProps) {
  return (
    <div className="flex items-center justify-between gap-x-3 rounded-lg border border-line bg-sky-800 px-4 py-3 cramped:flex-wrap sm:block sm:py-4 lg:p-6">
      <dt className="flex items-center gap-2 text-sm text-ink-muted">
        <Icon aria-hidden="true" className="size-4" />
        {label}
      </dt>
      <dd className="text-lg font-semibold text-ink tabular-nums sm:mt-2 lg:text-xl">
        {isLoading ? <Skeleton className="h-7 w-24 lg:h-8.5" /> : children}
      </dd>
    </div>
  );
}
