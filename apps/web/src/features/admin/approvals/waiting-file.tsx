import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, errorSentence, queryKeys } from '@/shared/api';
import { Button, ErrorNote, Spinner } from '@/shared/ui';
import { BulkRows } from '../bulk-grants/bulk-rows';

const useWaitingFile = (id: string, isShown: boolean) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'approvals', id, 'file'],
    queryFn: ({ signal }) => api.get('/api/admin/bulk-grants/waiting/{id}', { path: { id }, signal }),
    enabled: isShown,
  });

/** The rows of a file that waits, for whoever is to approve it. */
export function WaitingFile({ id }: { id: string }) {
  const [isShown, setShown] = useState(false);
  const file = useWaitingFile(id, isShown);
  return (
    <div className="grid grid-cols-1 gap-2">
      <Button size="sm" variant="ghost" className="justify-self-start" onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide the rows' : 'Show the rows'}
      </Button>
      {isShown && file.isPending && <Spinner label="Loading the rows" />}
      {isShown && file.error !== null && (
        <ErrorNote onRetry={() => void file.refetch()} retrying={file.isFetching}>
          {errorSentence(file.error, 'The rows could not be loaded.')}
        </ErrorNote>
      )}
      {isShown && file.data !== undefined && <BulkRows rows={file.data.rows} label="Rows that wait" />}
    </div>
  );
}
