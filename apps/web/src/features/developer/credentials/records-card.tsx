import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { errorSentence } from '@/shared/api';
import { Card, EmptyState, ErrorNote, LoadMore, Skeleton } from '@/shared/ui';

export interface RecordsCardProps<T> {
  title: string;
  list: ComponentProps<typeof LoadMore>['list'] & {
    error: Error | null;
    isError: boolean;
    isFetchNextPageError: boolean;
    refetch: () => unknown;
  };
  /** Undefined until the first page is there. */
  records: readonly T[] | undefined;
  renderRow: (record: T) => ReactNode;
  idOf: (record: T) => string;
  empty: { icon: LucideIcon; title: string; text: string };
}

/** A list of an application's records, page by page. */
export function RecordsCard<T>({ title, list, records, renderRow, idOf, empty }: RecordsCardProps<T>) {
  const failure = list.isError ? errorSentence(list.error, 'The list could not be loaded.') : null;
  return (
    <Card title={title}>
      {records === undefined && failure === null && <Skeleton className="h-24 rounded-md" />}
      {records === undefined && failure !== null && (
        <ErrorNote onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {failure}
        </ErrorNote>
      )}
      {records?.length === 0 && <EmptyState {...empty} />}
      {records !== undefined && records.length > 0 && (
        <>
          {/* It scrolls by itself, so it can be reached by keyboard; what follows on the page stays near. */}
          <ul
            aria-label={title}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keys scroll what has the focus.
            tabIndex={0}
            className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line"
          >
            {records.map((record) => (
              <li key={idOf(record)} className="min-w-0">
                {renderRow(record)}
              </li>
            ))}
          </ul>
          <LoadMore list={list} failure={list.isFetchNextPageError ? failure : null} />
        </>
      )}
    </Card>
  );
}
