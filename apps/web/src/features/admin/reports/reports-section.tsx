import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Flag, ScrollText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { api, errorSentence, hasStatus, queryKeys, type Schemas } from '@/shared/api';
import { Avatar, Badge, Button, buttonClasses, Card, failureToast, RelativeTime, toast } from '@/shared/ui';
import { sectionPath } from '../admin-sections';
import { Choice } from '../choice';
import { ListBody, SkeletonRows } from '../list-body';
import { MemberLink } from '../member-link';
import { Pager } from '../pager';
import { useAddressFilters } from '../use-address-filters';

const REPORT_STATUSES = ['open', 'closed', 'all'] as const;
type ReportStatus = (typeof REPORT_STATUSES)[number];
const REPORT_PAGE_SIZE = 20;

/** A member's report to the admins about another member. */
type Report = Schemas['ReportDto'];

const reportsKey = [...queryKeys.admin, 'reports'];

const useReports = (status: ReportStatus, page: number) =>
  useQuery({
    queryKey: [...reportsKey, { status, page }],
    queryFn: ({ signal }) =>
      api.get('/api/admin/reports', { query: { status, page, limit: REPORT_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

function useCloseReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.post('/api/admin/reports/{id}/close', { path: { id } }),
    onSuccess: ({ message }) => toast({ title: 'Report Closed', description: message }),
    onError(error) {
      // Another admin was faster; the refetched list shows it.
      const description = hasStatus(error, 404)
        ? 'This report has been closed already.'
        : errorSentence(error, 'Failed to close the report');
      failureToast('Error', description);
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}

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

/** Who reported whom, in their own words, and the possible actions. */
function ReportItem({ report }: { report: Report }) {
  const { reporter, reported, text, chatId, createdAt, closedAt } = report;
  const close = useCloseReport();
  return (
    <li
      aria-label={`Report about ${reported.displayName}`}
      className="flex flex-col gap-3 p-4 sm:flex-row sm:items-start sm:gap-4 sm:px-6"
    >
      <Avatar name={reported.displayName} src={reported.profileImageUrl} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-muted">
          <MemberLink name={reported.displayName} />
          <span>
            reported by <MemberLink name={reporter.displayName} />
          </span>
          {chatId !== null && <Badge>In a chat</Badge>}
          {closedAt !== null && <Badge tone="gain">Closed</Badge>}
        </p>
        <p dir="auto" className="mt-2 max-w-prose text-sm wrap-anywhere whitespace-pre-wrap text-ink">
          {text}
        </p>
        <p className="mt-2 text-xs text-ink-faint">
          <RelativeTime iso={createdAt} />
          {closedAt !== null && (
            <span>
              {' · closed '}
              <RelativeTime iso={closedAt} />
            </span>
          )}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link
          to={sectionPath('audit', { targetId: reported.id })}
          aria-label={`Audit of ${reported.displayName}`}
          className={buttonClasses({ size: 'sm', variant: 'ghost' })}
        >
          <ScrollText aria-hidden="true" className="size-4" />
          Audit
        </Link>
        {closedAt === null && (
          <Button size="sm" pending={close.isPending} onClick={() => close.mutate(report.id)}>
            Close report
          </Button>
        )}
      </div>
    </li>
  );
}
