import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorSentence } from '@/shared/api';
import { Card, ErrorNote, Skeleton } from '@/shared/ui';

export interface ListCardProps<T> {
  title: string;
  query: UseQueryResult<T[]>;
  /** Shown if the list could not be loaded and the server gave no reason. */
  failure: string;
  /** An empty list is one line: that there is nothing, and what belongs here. */
  empty: string;
  hint: string;
  /** One row, an `li`. */
  children: (item: T) => ReactNode;
}

/** A list of the dashboard in each of its states: loading, failed, empty, filled. */
export function ListCard<T>({ title, query, failure, empty, hint, children }: ListCardProps<T>) {
  const { data: items } = query;
  return (
    <Card title={title} flush>
      {items === undefined && !query.isError && <Skeleton className="mx-4 mb-4 h-14 sm:mx-6 sm:mb-6" />}
      {items === undefined && query.isError && (
        <div className="px-4 pb-4 sm:px-6 sm:pb-6">
          <ErrorNote onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {errorSentence(query.error, failure)}
          </ErrorNote>
        </div>
      )}
      {items?.length === 0 && (
        <p className="-mt-2 px-4 pb-4 text-sm text-ink-muted sm:-mt-4 sm:px-6 sm:pb-5">
          <span className="text-ink">{empty}</span> <span>{hint}</span>
        </p>
      )}
      {items !== undefined && items.length > 0 && (
        <ul className="-mt-2 divide-y divide-line pb-1">{items.map((item) => children(item))}</ul>
      )}
    </Card>
  );
}
