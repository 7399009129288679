import { Code } from 'lucide-react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { buttonClasses, Card, ErrorNote, PageHeader } from '@/shared/ui';
import { type AdminSection, movedPath, sectionOf, sectionPath } from './admin-sections';
import { ApprovalsSection } from './approvals/approvals-section';
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
import { SectionNav } from './section-nav';
import { AdminTransactions } from './transactions/admin-transactions';
import { AdminUsers } from './users/admin-users';
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
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[11rem_minmax(0,1fr)] lg:gap-8 print:block">
        <SectionNav shown={section} />
        <div className="min-w-0">
          <Section name={section} />
        </div>
      </div>
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
