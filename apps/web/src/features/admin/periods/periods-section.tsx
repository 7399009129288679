import { Lock } from 'lucide-react';
import { useState } from 'react';
import { Button, Card } from '@/shared/ui';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { ClosePeriodDialog } from './close-period-dialog';
import { PeriodItem } from './period-item';
import { PERIOD_PAGE_SIZE, usePeriods } from './use-periods';

/** Closed periods with their seals, and the way to close one. */
export function PeriodsSection() {
  const state = useAddressFilters([]);
  const periods = usePeriods(state.page);
  const [isClosing, setClosing] = useState(false);
  return (
    <Card
      title="Closed periods"
      description="Each day is closed after midnight (UTC). After that, nothing can be dated into the period. Keep its seal somewhere else: it proves later that nothing was changed."
      flush
      aria-busy={periods.isFetching}
      actions={
        <Button icon={<Lock aria-hidden="true" className="size-4" />} onClick={() => setClosing(true)}>
          Close a period
        </Button>
      }
    >
      <ListBody
        list={periods}
        failure="The periods could not be loaded."
        empty={{ icon: Lock, title: 'No closed periods yet', text: 'The first day is closed after midnight (UTC).' }}
        isFiltered={false}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<SkeletonRows label="Loading periods" count={PERIOD_PAGE_SIZE / 4} />}
      >
        {(page) => (
          <ul className="divide-y divide-line border-t border-line">
            {page.periods.map((period) => (
              <PeriodItem key={period.number} period={period} />
            ))}
          </ul>
        )}
      </ListBody>
      {periods.data !== undefined && (
        <Pager label="Pages of periods" pagination={periods.data.pagination} onGoTo={state.goTo} />
      )}
      <ClosePeriodDialog open={isClosing} onClose={() => setClosing(false)} />
    </Card>
  );
}
