import { RotateCcw, Send } from 'lucide-react';
import { CodeBlock } from '@/features/oauth/code-block';
import { errorSentence } from '@/shared/api';
import { Badge, Button, EmptyState, ErrorNote, formatDateTime, LoadMore, RelativeTime, Skeleton } from '@/shared/ui';
import { useDeliveries, useRedeliver, type WebhookDelivery } from './use-webhooks';

const TONES = { waiting: 'hold', delivered: 'gain', given_up: 'loss' } as const;
const WORDS = { waiting: 'Waiting', delivered: 'Delivered', given_up: 'Given up' } as const;

export interface WebhookDeliveriesProps {
  clientId: string;
  id: string;
}

/** What was sent to a webhook: each delivery opens to what was sent, and what came back (rule webhooks-8). */
export function WebhookDeliveries({ clientId, id }: WebhookDeliveriesProps) {
  const list = useDeliveries(clientId, id);
  const deliveries = list.data?.pages.flatMap((page) => page.deliveries);
  const failure = list.isError ? errorSentence(list.error, 'The deliveries could not be loaded.') : null;
  if (deliveries === undefined) {
    if (failure === null) return <Skeleton className="h-24 rounded-md" />;
    return (
      <ErrorNote onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {failure}
      </ErrorNote>
    );
  }
  if (deliveries.length === 0) {
    return <EmptyState icon={Send} title="Nothing sent yet" text="Send a test to see how a delivery looks." />;
  }
  return (
    <>
      <ul aria-label="Deliveries" className="divide-y divide-line rounded-md border border-line">
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryRow clientId={clientId} id={id} delivery={delivery} />
          </li>
        ))}
      </ul>
      <LoadMore list={list} failure={list.isFetchNextPageError ? failure : null} />
    </>
  );
}

function DeliveryRow({ clientId, id, delivery }: WebhookDeliveriesProps & { delivery: WebhookDelivery }) {
  const redeliver = useRedeliver(clientId, id);
  const { sequence, type, status, nextAt, body, createdAt, attempts } = delivery;
  return (
    <details className="group">
      <summary className="flex min-h-14 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-xs text-ink">{type}</span>
          <span className="block text-xs text-ink-faint">
            No. {sequence} · <RelativeTime iso={createdAt} />
          </span>
        </span>
        <Badge tone={TONES[status]}>{WORDS[status]}</Badge>
      </summary>
      <div className="grid grid-cols-1 gap-4 px-4 pb-4">
        <CodeBlock label="Request" code={JSON.stringify(JSON.parse(body), null, 2)} />
        <ol aria-label="Attempts" className="grid grid-cols-1 gap-3">
          {attempts.map(({ at, ms, status: answered, answer, error }) => (
            <li key={at} className="min-w-0 text-sm text-ink-muted">
              {formatDateTime(at)} · {ms} ms · <span>{answered === undefined ? error : `answered ${answered}`}</span>
              {answer !== undefined && answer !== '' && (
                <pre className="mt-1 max-h-40 overflow-y-auto rounded-sm bg-sky-950/60 p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
                  {answer}
                </pre>
              )}
            </li>
          ))}
        </ol>
        {nextAt !== null && attempts.length > 0 && (
          <p className="text-sm text-ink-muted">Next attempt: {formatDateTime(nextAt)}</p>
        )}
        <Button
          className="justify-self-start"
          icon={<RotateCcw aria-hidden="true" className="size-4" />}
          pending={redeliver.isPending}
          onClick={() => redeliver.mutate(delivery.id)}
        >
          Send Again
        </Button>
      </div>
    </details>
  );
}
