import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { errorSentence, type Schemas } from '@/shared/api';
import { Button, EmptyState, ErrorNote, Field, LoadMore, Select, Skeleton } from '@/shared/ui';
import { StatementRow } from './statement-row';
import { transactionKind, transactionTypes } from './transaction-kinds';
import { EVERY_TYPE, useStatement } from './use-statement';

const TYPE_OPTIONS = [{ value: EVERY_TYPE, label: 'All types' }, ...transactionTypes];

/** The transactions of the wallet (rule wallet-6). */
export function Statement({ onTopUp }: { onTopUp: () => void }) {
  const [type, setType] = useState(EVERY_TYPE);
  return (
    <>
      <div className="px-4 pb-4 sm:px-6">
        <Field label="Type" className="max-w-60">
          <Select options={TYPE_OPTIONS} value={type} onChange={(event) => setType(event.target.value)} />
        </Field>
      </div>
      <Rows key={type} type={type} onTopUp={onTopUp} onClear={() => setType(EVERY_TYPE)} />
    </>
  );
}

interface RowsProps {
  type: string;
  onTopUp: () => void;
  onClear: () => void;
}

function Rows({ type, onTopUp, onClear }: RowsProps) {
  const statement = useStatement(type);
  const rows: Schemas['TransactionDto'][] = statement.data?.pages.flatMap((page) => page.transactions) ?? [];
  const failure = statement.isError ? errorSentence(statement.error, 'Your transactions could not be loaded.') : null;

  if (statement.isPending) return <SkeletonRows />;
  if (statement.data === undefined) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void statement.refetch()} retrying={statement.isFetching}>
        {failure}
      </ErrorNote>
    );
  }
  if (rows.length === 0) return <NoRows type={type} onTopUp={onTopUp} onClear={onClear} />;
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {rows.map((row) => (
          <StatementRow key={row.id} transaction={row} />
        ))}
      </ul>
      <LoadMore list={statement} failure={statement.isFetchNextPageError ? failure : null} />
    </>
  );
}

function NoRows({ type, onTopUp, onClear }: RowsProps) {
  if (type !== EVERY_TYPE) {
    return (
      <EmptyState
        icon={ReceiptText}
        title={`Nothing of the type “${transactionKind(type).label}”`}
        text="Movements of this type will be listed here."
        action={<Button onClick={onClear}>Show all types</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={ReceiptText}
      title="No transactions yet"
      text="Every movement of your Nova is listed here: top-ups, gifts, chats and rewards."
      action={<Button onClick={onTopUp}>Top up Nova</Button>}
    />
  );
}

const SKELETON_WIDTHS = ['w-40', 'w-56', 'w-32', 'w-48', 'w-44'];

function SkeletonRows() {
  return (
    <ul aria-label="Loading transactions" aria-busy="true" className="divide-y divide-line border-t border-line">
      {SKELETON_WIDTHS.map((width) => (
        <li key={width} className="flex min-h-18 items-center gap-3 px-4 py-3 sm:px-6">
          <Skeleton className="size-10 shrink-0 rounded-full" />
          <div className="grid gap-2">
            <Skeleton className={`h-4 max-w-full ${width}`} />
            <Skeleton className="h-3 w-24" />
          </div>
          <div className="ml-auto grid justify-items-end gap-2">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-3 w-16" />
          </div>
        </li>
      ))}
    </ul>
  );
}
