import { Code } from 'lucide-react';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router-dom';
import { buttonClasses, PageHeader } from '@/shared/ui';
import { AuditSection } from './audit/audit-section';
import { BulkSection } from './bulk-grants/bulk-section';
import { ContentSection } from './content/content-section';
import { FinanceSection } from './finance/finance-section';
import { OverviewSection } from './overview/overview-section';
import { movedPath, sectionOf, sectionPath, type AdminSection } from './admin-sections';
import { PeriodsSection } from './periods/periods-section';
import { ReadModelsSection } from './read-models/read-models-section';
import { ReconciliationSection } from './reconciliation/reconciliation-section';
import { ReportsSection } from './reports/reports-section';
import { AdminQuests } from './quests/admin-quests';
import { SectionNav } from './section-nav';
import { AdminTransactions } from './transactions/admin-transactions';
import { AdminUsers } from './users/admin-users';

/** The Admin Panel (rule admin-3), one section at a time; which one is in the address. */
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
