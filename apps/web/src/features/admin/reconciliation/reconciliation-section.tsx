import { Scale } from 'lucide-react';
import { useState } from 'react';
import { Card } from '@/shared/ui';
import { Choice } from '../choice';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { ExplainDialog } from './explain-dialog';
import { LastRun } from './last-run';
import { LineItem } from './line-item';
import {
  LINE_PAGE_SIZE,
  LINE_STATUSES,
  useReconciliationLines,
  type LineStatus,
  type ReconciliationLine,
} from './use-reconciliation';

const OPTIONS = [
  { value: 'flagged', label: 'Flagged' },
  { value: 'explained', label: 'Explained' },
  { value: 'matched', label: 'Matched' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: LineStatus; label: string }[];
const EMPTY: Record<LineStatus, { title: string; text: string }> = {
  flagged: { title: 'Nothing is flagged', text: 'Every difference is explained.' },
  explained: { title: 'Nothing to explain', text: 'Fees, disputes and payments in transit are listed here.' },
  matched: { title: 'Nothing matched yet', text: 'Payments and refunds with their events are listed here.' },
  all: {
    title: 'Nothing has been compared yet',
    text: 'Nova compares the provider’s books with the ledger once a day.',
  },
};

/** The payment provider's books held against ours (`docs/reconciliation.md`). */
export function ReconciliationSection() {
  const state = useAddressFilters(['status']);
  const status = LINE_STATUSES.find((name) => name === state.filters.status) ?? 'flagged';
  const lines = useReconciliationLines(status, state.page);
  const [explaining, setExplaining] = useState<ReconciliationLine | null>(null);
  return (
    <div className="grid grid-cols-1 gap-6">
      <LastRun />
      <Card
        title="Movements at the payment provider"
        flush
        aria-busy={lines.isFetching}
        actions={
          <Choice
            label="Which movements"
            options={OPTIONS}
            value={status}
            onChange={(next) => state.set('status', next === 'flagged' ? '' : next)}
          />
        }
      >
        <ListBody
          list={lines}
          failure="The movements could not be loaded."
          empty={{ icon: Scale, ...EMPTY[status] }}
          isFiltered={false}
          onClear={state.clearAll}
          onFirstPage={() => state.goTo(1)}
          skeleton={<SkeletonRows label="Loading movements" count={LINE_PAGE_SIZE / 4} />}
        >
          {(page) => (
            <ul className="divide-y divide-line border-t border-line">
              {page.lines.map((line) => (
                <LineItem key={line.id} line={line} onExplain={() => setExplaining(line)} />
              ))}
            </ul>
          )}
        </ListBody>
        {lines.data !== undefined && (
          <Pager label="Pages of movements" pagination={lines.data.pagination} onGoTo={state.goTo} />
        )}
      </Card>
      <ExplainDialog line={explaining} onClose={() => setExplaining(null)} />
    </div>
  );
}
