import {
  ArrowDownLeft,
  ArrowDownToLine,
  ArrowUpFromLine,
  ArrowUpRight,
  ReceiptText,
  type LucideIcon,
} from 'lucide-react';
import type { AppWalletEntry } from '@/features/oauth/application-types';
import { errorSentence } from '@/shared/api';
import { Amount, EmptyState, ErrorNote, LoadMore, RelativeTime, Skeleton } from '@/shared/ui';
import { useAppWalletStatement } from './use-app-wallet';

interface EntryKind {
  icon: LucideIcon;
  label: string;
  /** Whether it came into the wallet. */
  isIn: boolean;
}

const KINDS: Record<AppWalletEntry['type'], EntryKind> = {
  spend: { icon: ArrowDownLeft, label: 'Spent by', isIn: true },
  earn: { icon: ArrowUpRight, label: 'Paid to', isIn: false },
  fund: { icon: ArrowDownToLine, label: 'Funded by', isIn: true },
  withdraw: { icon: ArrowUpFromLine, label: 'Withdrawn by', isIn: false },
};

/** The movements of an application's wallet, with who stood behind each. */
export function AppWalletStatement({ clientId }: { clientId: string }) {
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
            <>
              {' · '}
              <bdi>{entry.description}</bdi>
            </>
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
