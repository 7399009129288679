import { errorSentence } from '@/shared/api';
import { ErrorNote } from '@/shared/ui';
import type { useChat } from './use-chat';

/** Shown in place of a chat that could not be loaded. */
export function ChatNotLoaded({ query }: { query: ReturnType<typeof useChat> }) {
  return (
    <ErrorNote onRetry={() => void query.refetch()} retrying={query.isFetching}>
      {errorSentence(query.error, 'This chat could not be loaded.')}
    </ErrorNote>
  );
}
