import { errorSentence } from '@/shared/api';
import { Card, ErrorNote } from '@/shared/ui';
import { SkeletonRows } from '../list-body';
import { ReadModelItem } from './read-model-item';
import { useReadModels } from './use-read-models';

/** What lists and figures are read from, how far each is, and the way to make one anew (`docs/operations.md`). */
export function ReadModelsSection() {
  const list = useReadModels();
  return (
    <Card
      title="Read models"
      description="Lists and figures are computed from the journal. A rebuild computes a new copy while the live one stays in use. The copy replaces it only if both are the same."
      flush
    >
      {list.error !== null && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void list.refetch()} retrying={list.isFetching}>
          {errorSentence(list.error, 'The read models could not be loaded.')}
        </ErrorNote>
      )}
      {list.error === null && list.data === undefined && <SkeletonRows label="Loading read models" count={12} />}
      {list.data !== undefined && (
        <ul className="divide-y divide-line border-t border-line">
          {list.data.models.map((model) => (
            <ReadModelItem key={model.name} model={model} />
          ))}
        </ul>
      )}
    </Card>
  );
}
