import { Code } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router-dom';
import { Button, PageHeader } from '@/shared/ui';
import { AdminStatCards } from './admin-stat-cards';
import { AdminTransactions } from './transactions/admin-transactions';
import { AdminUsers } from './users/admin-users';
import { useTransactionFilters } from './use-transaction-filters';

/** The Admin Panel (S1 §2.6). */
export function AdminPage() {
  const filters = useTransactionFilters();
  const transactions = useRef<HTMLDivElement>(null);

  const showTransactionsOf = (userId: string) => {
    filters.set('userId', userId);
    transactions.current?.scrollIntoView({ block: 'start' });
    transactions.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <PageHeader
        title="Admin Panel"
        backTo="/"
        backLabel="Back to discovery"
        actions={
          <Button asChild>
            <Link to="/developer">
              <Code aria-hidden="true" className="size-4" />
              Developer Portal
            </Link>
          </Button>
        }
      />
      <AdminStatCards />
      <AdminUsers onShowTransactions={showTransactionsOf} />
      <div ref={transactions} tabIndex={-1} className="scroll-mt-20">
        <AdminTransactions state={filters} />
      </div>
    </>
  );
}
