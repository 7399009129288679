import { Flag } from 'lucide-react';
import { Card } from '@/shared/ui';
import { Choice } from '../choice';
import { ListBody, SkeletonRows } from '../list-body';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';
import { ReportItem } from './report-item';
import { REPORT_PAGE_SIZE, REPORT_STATUSES, useReports, type ReportStatus } from './use-reports';

const OPTIONS = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: ReportStatus; label: string }[];
const EMPTY: Record<ReportStatus, { title: string; text: string }> = {
  open: { title: 'No open reports', text: 'Reports by members wait here until an admin closes them.' },
  closed: { title: 'No closed reports', text: 'Closed reports are kept here.' },
  all: { title: 'No reports yet', text: 'Reports by members are listed here.' },
};

/** What members report about each other (rule admin-15). */
export function ReportsSection() {
  const state = useAddressFilters(['status']);
  const status = REPORT_STATUSES.find((name) => name === state.filters.status) ?? 'open';
  const reports = useReports(status, state.page);
  return (
    <Card
      title="Reports"
      flush
      aria-busy={reports.isFetching}
      actions={
        <Choice
          label="Which reports"
          options={OPTIONS}
          value={status}
          onChange={(next) => state.set('status', next === 'open' ? '' : next)}
        />
      }
    >
      <ListBody
        list={reports}
        failure="The reports could not be loaded."
        empty={{ icon: Flag, ...EMPTY[status] }}
        isFiltered={false}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<SkeletonRows label="Loading reports" count={REPORT_PAGE_SIZE / 4} />}
      >
        {(page) => (
          <ul className="divide-y divide-line border-t border-line">
            {page.reports.map((report) => (
              <ReportItem key={report.id} report={report} />
            ))}
          </ul>
        )}
      </ListBody>
      {reports.data !== undefined && (
        <Pager label="Pages of reports" pagination={reports.data.pagination} onGoTo={state.goTo} />
      )}
    </Card>
  );
}
