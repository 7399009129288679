import { useNavigate, useSearchParams } from 'react-router-dom';
import { Choice } from '../choice';
import { BooksView } from './books-view';
import { FINANCE_VIEWS, financePath, viewOf } from './finance-address';
import { JournalExport } from './journal-export';
import { MemberStatementView } from './member-statement';

/** Finance: what every account had at any moment, down to the events; statements; exports (`docs/finance.md`). */
export function FinanceSection() {
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
      {view === 'export' && <JournalExport />}
    </>
  );
}
