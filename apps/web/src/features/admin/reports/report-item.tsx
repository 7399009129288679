import { ScrollText } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Avatar, Badge, Button, buttonClasses, RelativeTime } from '@/shared/ui';
import { sectionPath } from '../admin-sections';
import { MemberLink } from '../member-link';
import { useCloseReport, type Report } from './use-reports';

/** Who reported whom, in their words, and what can be done about it. */
export function ReportItem({ report }: { report: Report }) {
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
            <>
              {' · closed '}
              <RelativeTime iso={closedAt} />
            </>
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
