import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorSentence } from '@/shared/api';
import { Button, EmptyState, ErrorNote, Skeleton } from '@/shared/ui';
import type { Pagination } from './use-admin';

export interface ListBodyProps<T extends { pagination: Pagination }> {
  list: UseQueryResult<T>;
  /** The sentence for a failure without one from the server. */
  failure: string;
  empty: { icon?: LucideIcon; title: string; text: string };
  isFiltered: boolean;
  onClear: () => void;
  onFirstPage: () => void;
  /** A placeholder in the shape of the list. */
  skeleton: ReactNode;
  children: (page: T) => ReactNode;
}

/**
 * A page of a list, or what replaces it: a skeleton, an error, an empty state, or a note that there is no such page.
 */
export function ListBody<T extends { pagination: Pagination }>(props: ListBodyProps<T>) {
  const { list, failure, empty, isFiltered, onClear, onFirstPage, skeleton, children } = props;
  const { data, error, isFetching, isPlaceholderData, refetch } = list;
  if (error !== null) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void refetch()} retrying={isFetching}>
        {errorSentence(error, failure)}
      </ErrorNote>
    );
  }
  if (data === undefined) return skeleton;
  const { page, total, totalPages } = data.pagination;
  // An empty previous list says nothing about the next one.
  if (isPlaceholderData && page > totalPages) return skeleton;
  if (total > 0 && page > totalPages) {
    return (
      <EmptyState
        icon={SearchX}
        title="This page does not exist"
        text="The list is shorter now."
        action={<Button onClick={onFirstPage}>Go to the first page</Button>}
      />
    );
  }
  if (total === 0 && isFiltered) {
    return (
      <EmptyState
        icon={SearchX}
        title="Nothing matches these filters"
        text="Remove a filter, or search for something else."
        action={<Button onClick={onClear}>Clear all filters</Button>}
      />
    );
  }
  if (total === 0) return <EmptyState icon={empty.icon ?? SearchX} title={empty.title} text={empty.text} />;
  return <div className={isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>{children(data)}</div>;
}

/** As many lines as a page has rows. */
export function SkeletonRows({ label, count }: { label: string; count: number }) {
  return (
    <ul aria-label={label} aria-busy="true" className="divide-y divide-line border-t border-line">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} className="flex min-h-11 items-center gap-6 px-4 sm:px-6">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-4 w-48" />
          <Skeleton className="ml-auto h-4 w-20" />
        </li>
      ))}
    </ul>
  );
}
