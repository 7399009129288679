import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { Amount, Badge, Card, RelativeTime } from '@/shared/ui';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { useBulkBatches, type BulkBatch } from './use-bulk-grants';

/** Which files were granted when, and by whom. */
export function BulkHistory() {
  const [page, setPage] = useState(1);
  const batches = useBulkBatches(page);
  return (
    <Card title="Granted files" flush aria-busy={batches.isFetching}>
      <ListBody
        list={batches}
        failure="The granted files could not be loaded."
        empty={{ icon: FileSpreadsheet, title: 'No files yet', text: 'Granted files are listed here.' }}
        isFiltered={false}
        onClear={() => undefined}
        onFirstPage={() => setPage(1)}
        skeleton={<SkeletonRows label="Loading granted files" count={3} />}
      >
        {(found) => (
          <ul className="divide-y divide-line border-t border-line">
            {found.batches.map((batch) => (
              <BatchItem key={batch.batchId} batch={batch} />
            ))}
          </ul>
        )}
      </ListBody>
      {batches.data !== undefined && (
        <Pager label="Pages of granted files" pagination={batches.data.pagination} onGoTo={setPage} />
      )}
    </Card>
  );
}

function BatchItem({ batch }: { batch: BulkBatch }) {
  const { admin, mode, createdAt, finished, rows, granted, total } = batch;
  return (
    <li className="flex items-center gap-3 px-4 py-3 text-sm sm:px-6">
      <div className="min-w-0 flex-1">
        <p className="text-ink">
          {granted} of {rows} rows{' '}
          <span className="text-ink-faint">· {mode === 'atomic' ? 'all or none' : 'row by row'}</span>
        </p>
        <p className="text-xs text-ink-faint">
          <bdi>{admin.displayName}</bdi> · <RelativeTime iso={createdAt} />
        </p>
      </div>
      {!finished && <Badge tone="hold">Not finished</Badge>}
      <Amount value={total} />
    </li>
  );
}
