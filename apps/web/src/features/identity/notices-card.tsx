import { ShieldCheck } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { Badge, Card, EmptyState, ErrorNote, RelativeTime, Skeleton } from '@/shared/ui';
import { useSecurityNotices } from './use-security';

/** Security events of the member's own account. */
export function NoticesCard() {
  const { data, error, isError, isFetching, refetch } = useSecurityNotices();
  return (
    <Card
      flush
      className="mt-6"
      title="Security Notices"
      description="Changes to your account. If something here was not you, change your password."
    >
      {data === undefined && !isError && <Skeleton className="mx-4 mb-4 h-14 sm:mx-6 sm:mb-6" />}
      {data === undefined && isError && (
        <div className="px-4 pb-4 sm:px-6 sm:pb-6">
          <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
            {errorSentence(error, 'Your security notices could not be loaded.')}
          </ErrorNote>
        </div>
      )}
      {data?.notices.length === 0 && (
        <EmptyState
          icon={ShieldCheck}
          title="Nothing has happened"
          text="New devices, changed passwords and the like are listed here."
          className="pb-8"
        />
      )}
      {data !== undefined && data.notices.length > 0 && (
        <ul aria-label="Security notices" className="-mt-2 max-h-96 divide-y divide-line overflow-y-auto pb-1">
          {data.notices.map(({ id, message, createdAt, isUnseen }) => (
            <li key={id} className="px-4 py-3 sm:px-6">
              <p dir="auto" className="text-sm text-ink">
                {message}
              </p>
              <p className="mt-0.5 flex items-center gap-2 text-xs text-ink-faint">
                <RelativeTime iso={createdAt} /> {isUnseen && <Badge tone="hold">New</Badge>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
