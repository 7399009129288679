import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { type ReactNode, useState } from 'react';
import { api, errorSentence, formatCount, queryKeys, type Schemas, serverNowMs, useCurrentUser } from '@/shared/api';
import { DownloadButton } from '@/shared/downloads';
import { Amount, Dialog, ErrorNote, Field, Select, Skeleton } from '@/shared/ui';
import { statementMonths } from './statement-months';
import { transactionKind } from './transaction-kinds';

type MonthStatement = Schemas['MonthStatementDto'];

const FAILURE = 'The statement could not be loaded.';
const SKELETON_ROWS = 5;

/** The statement of a month, to look at and to keep (rules wallet-21, wallet-22). It begins with the last whole month. */
export function StatementDialog({ onClose }: { onClose: () => void }) {
  const { data: user } = useCurrentUser();
  const [openedAtMs] = useState(serverNowMs);
  const months = statementMonths(user?.createdAt ?? new Date(openedAtMs).toISOString(), openedAtMs);
  const [chosen, setChosen] = useState<string>();
  const month = chosen ?? (months[1] ?? months[0])?.value ?? '';
  const statement = useQuery({
    queryKey: queryKeys.monthStatement(month),
    queryFn: ({ signal }) => api.get('/api/nova/statement', { query: { month }, signal }),
    // The month that lasts goes on.
    refetchOnMount: 'always',
  });
  const file = (extension: 'csv' | 'pdf') => ({
    path: `/api/nova/statement.${extension}?month=${month}`,
    fallbackName: `nova-statement-${month}.${extension}`,
    failure: 'The statement could not be downloaded.',
    disabled: statement.data === undefined,
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Statement"
      description="What moved your Nova in a month. Months and times are UTC."
      footer={
        <>
          <DownloadButton key={`csv ${month}`} label="Download CSV" {...file('csv')} />
          <DownloadButton key={`pdf ${month}`} label="Download PDF" variant="primary" {...file('pdf')} />
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Field label="Month">
          <Select options={months} value={month} onChange={({ target }) => setChosen(target.value)} />
        </Field>
        {statement.error !== null && (
          <ErrorNote onRetry={() => void statement.refetch()} retrying={statement.isFetching}>
            {errorSentence(statement.error, FAILURE)}
          </ErrorNote>
        )}
        {statement.isPending && <Loading />}
        {statement.error === null && statement.data !== undefined && <Summary statement={statement.data} />}
      </div>
    </Dialog>
  );
}

function Summary({ statement: { nova, groups, accrued, isOver } }: { statement: MonthStatement }) {
  return (
    <dl aria-label="Summary" className="text-sm tabular-nums">
      <Line name="Opening balance" isBalance>
        <Amount value={nova.opening} bare />
      </Line>
      {groups.map(({ type, count, amount }) => (
        <Line key={type} name={transactionKind(type).label} note={`× ${formatCount(count)}`}>
          <Amount value={amount} signed bare />
        </Line>
      ))}
      {accrued !== 0 && (
        <Line name="Rewards not yet credited">
          <Amount value={accrued} signed bare tone="hold" />
        </Line>
      )}
      {groups.length === 0 && accrued === 0 && <Line name="Nothing moved in this month">{null}</Line>}
      <Line name={isOver ? 'Closing balance' : 'Balance so far'} isBalance>
        <Amount value={nova.closing} />
      </Line>
    </dl>
  );
}

interface LineProps {
  name: string;
  note?: string;
  isBalance?: boolean;
  children: ReactNode;
}

function Line({ name, note, isBalance = false, children }: LineProps) {
  return (
    <div
      className={clsx(
        'flex items-baseline justify-between gap-4 border-b border-line py-2.5 last:border-b-0',
        isBalance ? 'font-semibold text-ink' : 'text-ink-muted',
      )}
    >
      <dt>
        {name} {note !== undefined && <span className="text-xs text-ink-faint">{note}</span>}
      </dt>
      <dd className="text-ink">{children}</dd>
    </div>
  );
}

function Loading() {
  return (
    <div aria-label="Loading the statement" aria-busy="true" className="grid gap-2 py-2">
      {Array.from({ length: SKELETON_ROWS }, (_, index) => (
        <Skeleton key={index} className="h-8" />
      ))}
    </div>
  );
}
