import { Download, PackageOpen } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Button, Card, ErrorNote, formatDateTime, ProgressBar, Skeleton } from '@/shared/ui';
import { isUnderWay, type Takeout, useDownloadTakeout, useOrderTakeout, useTakeout } from './use-takeout';

const MB = 1_048_576;
const KB = 1_024;

/** `3.4 MB`, for the size of a file. */
function sizeText(bytes: number): string {
  if (bytes < MB) return `${Math.max(1, Math.round(bytes / KB))} KB`;
  return `${(bytes / MB).toFixed(bytes < 100 * MB ? 1 : 0)} MB`;
}

/** Everything of the member as a file, which the server makes in the background (rule accounts-26). */
export function TakeoutCard() {
  const { data, error, refetch, isFetching } = useTakeout();
  return (
    <Card
      className="mt-6"
      title="Your Data"
      description="Everything that Nova keeps of you in one ZIP file: profile, posts, pictures, your own messages, statement, consents and devices."
    >
      {data === undefined && error === null && <Skeleton className="h-10 w-64" />}
      {data === undefined && error !== null && (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'Whether a file is ready could not be loaded.')}
        </ErrorNote>
      )}
      {data !== undefined && <TakeoutState takeout={data.takeout} />}
    </Card>
  );
}

function TakeoutState({ takeout }: { takeout: Takeout | null }) {
  const order = useOrderTakeout();
  const download = useDownloadTakeout();
  const ready = takeout?.state === 'ready' ? takeout : null;
  return (
    <div className="grid gap-4">
      {takeout !== null && isUnderWay(takeout) && <UnderWay takeout={takeout} />}
      {takeout?.state === 'failed' && !order.isPending && (
        <ErrorNote>Your file could not be made. Please ask for it again.</ErrorNote>
      )}
      {ready && <ReadyNote takeout={ready} />}
      {download.isError && (
        <ErrorNote>{errorSentence(download.error, 'The file could not be downloaded. Please try again.')}</ErrorNote>
      )}
      {order.isError && (
        <ErrorNote>{errorSentence(order.error, 'Your file could not be asked for. Please try again.')}</ErrorNote>
      )}
      {!isUnderWay(takeout) && (
        <div className="flex flex-wrap gap-2">
          {ready && (
            <Button
              variant="primary"
              icon={<Download aria-hidden="true" className="size-4" />}
              pending={download.isPending}
              pendingText="Please wait..."
              onClick={() => download.mutate(ready.id)}
            >
              {ready.bytes === null ? 'Download ZIP' : `Download ZIP (${sizeText(ready.bytes)})`}
            </Button>
          )}
          <Button
            icon={<PackageOpen aria-hidden="true" className="size-4" />}
            pending={order.isPending}
            pendingText="Please wait..."
            onClick={() => order.mutate()}
          >
            {ready ? 'Make a New File' : 'Download Everything of Mine'}
          </Button>
        </div>
      )}
    </div>
  );
}

function UnderWay({ takeout: { progress } }: { takeout: Takeout }) {
  return (
    <div className="grid gap-2">
      <p className="flex justify-between gap-4 text-sm text-ink">
        Your file is being made. You can leave this page.
        <span className="shrink-0 tabular-nums">{progress}%</span>
      </p>
      <ProgressBar label="Your file" value={progress} />
    </div>
  );
}

function ReadyNote({ takeout: { orderedAt, expiresAt } }: { takeout: Takeout }) {
  return (
    <p className="text-sm text-ink">
      Your file of {formatDateTime(orderedAt)} is ready.
      {expiresAt !== null && (
        <span className="text-ink-muted"> You can download it until {formatDateTime(expiresAt)}.</span>
      )}
    </p>
  );
}
