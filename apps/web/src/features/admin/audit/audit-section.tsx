import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { type Answer, api, queryKeys, type Schemas } from '@/shared/api';
import { Amount, Card, Field, RelativeTime, Select } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import { FilterChips } from '../filter-chips';
import { ListBody, SkeletonRows } from '../list-body';
import { MemberFilter } from '../member-filter';
import { MemberLink } from '../member-link';
import { Pager } from '../pager';
import type { AdminColumn } from '../table/admin-table';
import { DataTable } from '../table/data-table';
import { type AddressFilters, useAddressFilters } from '../use-address-filters';
import { useWideScreen } from '../use-wide-screen';
import { auditActionLabel, auditActions, isLedgerAction } from './audit-actions';

const AUDIT_PAGE_SIZE = 20;

/** One action of an admin. */
type AuditEntry = Schemas['AuditEntryDto'];

type AuditPage = Answer<'/api/admin/audit'>;

/** The filters' names in the address bar, and in the API. */
const AUDIT_FILTERS = ['action', 'adminId', 'targetId'] as const;
type AuditFilterState = AddressFilters<(typeof AUDIT_FILTERS)[number]>;

const useAudit = ({ filters, page }: AuditFilterState) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'audit', { filters, page }],
    queryFn: ({ signal }) =>
      api.get('/api/admin/audit', { query: { ...filters, page, limit: AUDIT_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

/** Means no filter, because an option of a select must not be empty (rule screens-15). */
const EVERY_ACTION = 'all';
const ACTION_OPTIONS = [{ value: EVERY_ACTION, label: 'All actions' }, ...auditActions];

/** Everything that admins did: who, what, to whom, when and why (rule admin-2). */
export function AuditSection() {
  const state = useAddressFilters(AUDIT_FILTERS);
  const audit = useAudit(state);
  const isWide = useWideScreen();
  return (
    <Card
      title="Audit"
      description="Everything that admins have done, newest first. Nobody can change this list."
      flush
      aria-busy={audit.isFetching}
    >
      <AuditFilterBar state={state} />
      <AuditChips state={state} entries={audit.data?.entries ?? []} />
      <ListBody
        list={audit}
        failure="The audit could not be loaded."
        empty={{ icon: ScrollText, title: 'Nothing yet', text: 'Everything an admin does is recorded here.' }}
        isFiltered={state.isFiltered}
        onClear={state.clearAll}
        onFirstPage={() => state.goTo(1)}
        skeleton={<SkeletonRows label="Loading the audit" count={AUDIT_PAGE_SIZE} />}
      >
        {(page) => (isWide ? <AuditTable page={page} /> : <AuditCards entries={page.entries} />)}
      </ListBody>
      {audit.data !== undefined && (
        <Pager label="Pages of the audit" pagination={audit.data.pagination} onGoTo={state.goTo} />
      )}
    </Card>
  );
}

function AuditFilterBar({ state }: { state: AuditFilterState }) {
  return (
    <div className="grid grid-cols-2 items-end gap-3 cramped:grid-cols-1 px-4 pb-4 sm:px-6 lg:grid-cols-[20rem_auto_auto_1fr]">
      <Field label="Action" className="col-span-full lg:col-span-1">
        <Select
          options={ACTION_OPTIONS}
          value={state.filters.action === '' ? EVERY_ACTION : state.filters.action}
          onChange={({ target }) => state.set('action', target.value === EVERY_ACTION ? '' : target.value)}
        />
      </Field>
      <MemberFilter label="One admin" onChoose={(id) => state.set('adminId', id)} />
      <MemberFilter label="One member" onChoose={(id) => state.set('targetId', id)} />
    </div>
  );
}

function AuditChips({ state, entries }: { state: AuditFilterState; entries: readonly AuditEntry[] }) {
  const texts: Record<(typeof AUDIT_FILTERS)[number], (value: string) => string> = {
    action: auditActionLabel,
    adminId: (id) => `admin: ${entries.find(({ adminId }) => adminId === id)?.adminName ?? id}`,
    targetId: (id) => `member: ${entries.find(({ targetId }) => targetId === id)?.targetName ?? id}`,
  };
  return <FilterChips state={state} textOf={(name, value) => texts[name](value)} />;
}

/** The audit as cards, where a table has no room. */
function AuditCards({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {entries.map((entry) => (
        <AuditCard key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

function AuditCard({ entry }: { entry: AuditEntry }) {
  const { id, action, adminName, targetId, amount, rating, reason, createdAt } = entry;
  return (
    <li className="grid grid-cols-1 gap-1.5 px-4 py-3 text-sm sm:px-6">
      <p className="flex items-baseline justify-between gap-x-3 cramped:flex-wrap">
        <span className="font-medium text-ink">{auditActionLabel(action)}</span>
        {(amount !== null || rating !== null) && <AuditFigure entry={entry} />}
      </p>
      {targetId !== null && (
        <p>
          <AuditTarget entry={entry} />
        </p>
      )}
      {reason !== null && (
        <p dir="auto" className="wrap-anywhere text-ink-muted">
          {reason}
        </p>
      )}
      <p className="flex min-h-6 items-center justify-between gap-x-3 text-xs cramped:flex-wrap text-ink-faint">
        <span>
          <bdi>{adminName}</bdi> · <RelativeTime iso={createdAt} />
        </span>
        {isLedgerAction(action) && (
          <Link
            to={eventPath(id)}
            className="-my-3 py-3.5 text-ink-muted underline decoration-line-strong underline-offset-4"
          >
            Open the event
          </Link>
        )}
      </p>
    </li>
  );
}

const entryId = ({ id }: AuditEntry): string => id;

const COLUMNS: readonly AdminColumn<AuditEntry>[] = [
  {
    id: 'time',
    header: 'Time',
    cell: ({ row }) => <RelativeTime iso={row.original.createdAt} className="whitespace-nowrap text-ink-muted" />,
  },
  {
    id: 'admin',
    header: 'Admin',
    cell: ({ row }) => <bdi className="block truncate text-left">{row.original.adminName}</bdi>,
  },
  { id: 'action', header: 'Action', cell: ({ row }) => auditActionLabel(row.original.action) },
  { id: 'member', header: 'Member', cell: ({ row }) => <AuditTarget entry={row.original} /> },
  {
    id: 'figure',
    header: 'Amount or rating',
    meta: { isFigure: true },
    cell: ({ row }) => <AuditFigure entry={row.original} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ row: { original } }) =>
      original.reason === null ? (
        <span className="text-ink-faint">–</span>
      ) : (
        <bdi className="block truncate text-left" title={original.reason}>
          {original.reason}
        </bdi>
      ),
  },
  {
    id: 'event',
    header: 'Event',
    cell: ({ row: { original } }) =>
      isLedgerAction(original.action) ? (
        <Link
          to={eventPath(original.id)}
          className="text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
        >
          Open
        </Link>
      ) : (
        <span className="text-ink-faint">–</span>
      ),
  },
];

function AuditTable({ page }: { page: AuditPage }) {
  const navigate = useNavigate();
  return (
    <DataTable
      label="Audit"
      caption="What admins did, newest first"
      columns={COLUMNS}
      rows={page.entries}
      rowId={entryId}
      pagination={page.pagination}
      onOpen={({ id, action }) => (isLedgerAction(action) ? () => void navigate(eventPath(id)) : null)}
      openHint="Enter opens the event."
    />
  );
}

/** The member or thing that the action concerns. */
function AuditTarget({ entry: { action, targetId, targetName } }: { entry: AuditEntry }) {
  if (targetName !== null) return <MemberLink name={targetName} />;
  const what = action.startsWith('Email') ? 'An e-mail address' : targetId;
  return <span className="break-all text-ink-faint">{what ?? '–'}</span>;
}

/** The amount or the rating; nothing for actions without either. */
function AuditFigure({ entry: { action, amount, rating } }: { entry: AuditEntry }) {
  if (rating !== null) return <span className="tabular-nums">{rating.toFixed(2)}</span>;
  if (amount === null) return <span className="text-ink-faint">–</span>;
  const isMovement = action === 'NovaGranted' || action === 'NovaDeducted';
  return <Amount value={action === 'NovaDeducted' ? -amount : amount} signed={isMovement} />;
}
