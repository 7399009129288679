import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { oauthKeys } from '@/features/oauth/oauth-keys';
import { errorSentence } from '@/shared/api';
import { ErrorNote, Skeleton } from '@/shared/ui';
import { type ApiCall, type OpenApiDocument, thirdPartyCalls } from './open-api';

/** Shows its children once the server's own description of its calls has loaded. */
export function LoadedCalls({ children }: { children: (calls: readonly ApiCall[]) => ReactNode }) {
  const { data, error, isFetching, refetch } = useThirdPartyCalls();
  if (data !== undefined) return children(data);
  if (error === null) {
    return (
      <div aria-busy="true" className="grid gap-3">
        {['first', 'second', 'third'].map((place) => (
          <Skeleton key={place} className="h-16 rounded-lg" />
        ))}
      </div>
    );
  }
  return (
    <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
      {errorSentence(error, 'The documentation could not be loaded.')}
    </ErrorNote>
  );
}

/** The calls for third parties, as the running server describes them. */
const useThirdPartyCalls = () =>
  useQuery<OpenApiDocument, Error, ReturnType<typeof thirdPartyCalls>>({
    queryKey: oauthKeys.document,
    select: thirdPartyCalls,
  });
