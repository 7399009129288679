import { clsx } from 'clsx';
import { Code } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { Badge, buttonClasses, Card, ErrorNote, PageHeader } from '@/shared/ui';
import { ADMIN_SECTIONS, type AdminSection, movedPath, sectionOf, sectionPath } from './admin-sections';
import { ApprovalsSection } from './approvals/approvals-section';
import { useWaitingCount } from './approvals/use-approvals';
import { AuditSection } from './audit/audit-section';
import { BulkSection } from './bulk-grants/bulk-section';
import { Choice } from './choice';
import { ContentSection } from './content/content-section';
import { BooksView } from './finance/books-view';
import { CloseView } from './finance/close-view';
import { DollarsView } from './finance/dollars-view';
import { FINANCE_VIEWS, financePath, viewOf } from './finance/finance-address';
import { JournalExport } from './finance/journal-export';
import { MemberStatementView } from './finance/member-statement';
import { SkeletonRows } from './list-body';
import { OverviewSection } from './overview/overview-section';
import { PeriodsSection } from './periods/periods-section';
import { AdminQuests } from './quests/admin-quests';
import { ReadModelItem } from './read-models/read-model-item';
import { useReadModels } from './read-models/use-read-models';
import { ReconciliationSection } from './reconciliation/reconciliation-section';
import { ReportsSection } from './reports/reports-section';
import { AdminTransactions } from './transactions/admin-transactions';
import { AdminUsers } from './users/admin-users';
import { useBeyondCount } from './watches/use-watches';
import { WatchesSection } from './watches/watches-section';

/** The Admin Panel (rule admin-3) shows one section at a time; the address says which. */
export function AdminPage() {
  const [parameters] = useSearchParams();
  const moved = movedPath(parameters);
  if (moved !== null) return <Navigate to={moved} replace />;
  const section = sectionOf(parameters);
  return (
    <>
      <PageHeader
        title="Admin Panel"
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <Link to="/developer" className={buttonClasses()}>
            <Code aria-hidden="true" className="size-4" />
            Developer Portal
          </Link>
        }
      />
      <SectionNav shown={section} />
      <Section name={section} />
    </>
  );
}

function Section({ name }: { name: AdminSection }) {
  const navigate = useNavigate();
  switch (name) {
    case 'overview':
      return <OverviewSection />;
    case 'quests':
      return <AdminQuests />;
    case 'users':
      return <AdminUsers onShowTransactions={(userId) => void navigate(sectionPath('transactions', { userId }))} />;
    case 'content':
      return <ContentSection />;
    case 'reports':
      return <ReportsSection />;
    case 'transactions':
      return <AdminTransactions />;
    case 'finance':
      return <FinanceSection />;
    case 'bulk':
      return <BulkSection />;
    case 'approvals':
      return <ApprovalsSection />;
    case 'watches':
      return <WatchesSection />;
    case 'periods':
      return <PeriodsSection />;
    case 'reconciliation':
      return <ReconciliationSection />;
    case 'audit':
      return <AuditSection />;
    case 'read-models':
      return <ReadModelsSection />;
  }
}

/** Finance: every account at any moment, statements, the books in dollars, exports (`docs/finance.md`). */
function FinanceSection() {
  const [parameters] = useSearchParams();
  const navigate = useNavigate();
  const view = viewOf(parameters);
  return (
    <>
      <div className="mb-4 flex max-w-full overflow-x-auto print:hidden">
        <Choice
          label="Finance"
          options={FINANCE_VIEWS}
          value={view}
          onChange={(chosen) => void navigate(financePath({ view: chosen === 'books' ? '' : chosen }))}
        />
      </div>
      {view === 'books' && <BooksView />}
      {view === 'statement' && <MemberStatementView />}
      {view === 'dollars' && <DollarsView />}
      {view === 'close' && <CloseView />}
      {view === 'export' && <JournalExport />}
    </>
  );
}

/** The tables behind lists and figures, how far each is, and how to rebuild one (`docs/operations.md`). */
function ReadModelsSection() {
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

/** The navigation between the sections; on a phone, a row that scrolls to keep the current one visible. */
function SectionNav({ shown }: { shown: AdminSection }) {
  const counts: Partial<Record<AdminSection, number>> = { approvals: useWaitingCount(), watches: useBeyondCount() };
  return (
    <nav
      aria-label="Sections of the Admin Panel"
      className="-mx-4 mb-6 overflow-x-auto px-4 sm:mx-0 sm:px-0 print:hidden"
    >
      <ul className="flex w-max min-w-full gap-1 border-b border-line">
        {ADMIN_SECTIONS.map((section) => (
          <li key={section.name}>
            <SectionLink {...section} isShown={section.name === shown} count={counts[section.name] ?? 0} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

type SectionLinkProps = (typeof ADMIN_SECTIONS)[number] & {
  isShown: boolean;
  /** How many things there wait for an admin. */
  count: number;
};

function SectionLink({ name, label, isShown, count }: SectionLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isShown) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [isShown]);
  return (
    <Link
      ref={link}
      to={sectionPath(name)}
      aria-current={isShown ? 'page' : undefined}
      className={clsx(
        '-mb-px inline-flex min-h-11 items-center rounded-t-sm border-b-2 px-3 text-sm font-medium whitespace-nowrap transition-colors focus-visible:-outline-offset-2',
        isShown ? 'border-nova text-ink' : 'border-transparent text-ink-muted hover:text-ink',
      )}
    >
      {label}
      {count > 0 && (
        <span className="ml-2">
          <Badge tone="hold">{count}</Badge>
        </span>
      )}
    </Link>
  );
}
