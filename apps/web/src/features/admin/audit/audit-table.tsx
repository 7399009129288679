import { Link, useNavigate } from 'react-router-dom';
import { RelativeTime } from '@/shared/ui';
import { eventPath } from '../admin-sections';
import type { AdminColumn } from '../table/admin-table';
import { DataTable } from '../table/data-table';
import { auditActionLabel, isLedgerAction } from './audit-actions';
import { AuditFigure, AuditTarget } from './audit-details';
import type { AuditEntry, AuditPage } from './use-audit';

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

export function AuditTable({ page }: { page: AuditPage }) {
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
