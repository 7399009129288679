import { clsx } from 'clsx';
import { FileText, ReceiptText, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { errorSentence, formatCount, serverNowMs, useCurrentUser } from '@/shared/api';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { Amount, Button, EmptyState, ErrorNote, Field, LoadMore, Select, Skeleton, TextInput } from '@/shared/ui';
import { daysOfMonth, statementMonths } from './statement-months';
import { StatementRow } from './statement-row';
import { isTransactionType, transactionTypes } from './transaction-kinds';
import { type StatementFilter, useStatement, useStatementTotals } from './use-statement';

/** Means no filter, because an option of a select must not be empty (rule screens-15). */
const ALL = 'all';
const NO_CHOICE = { search: '', month: ALL, direction: ALL, type: ALL };
type Choice = typeof NO_CHOICE;
const CHOICES = ['search', 'month', 'direction', 'type'] as const;

const TYPE_OPTIONS = [{ value: ALL, label: 'All types' }, ...transactionTypes];
const DIRECTION_OPTIONS = [
  { value: ALL, label: 'In and out' },
  { value: 'in', label: 'In' },
  { value: 'out', label: 'Out' },
];
const SEARCH_MAX = 100;

/** The transactions of the wallet (rules wallet-6, wallet-24). */
export function Statement({ onTopUp, onMonth }: { onTopUp: () => void; onMonth: () => void }) {
  const [choice, setChoice] = useChoice();
  const search = useSettledValue(choice.search.trim());
  // What is cleared is cleared at once.
  const filter = filterOf({ ...choice, search: choice.search === '' ? '' : search });
  return (
    <>
      <Filters choice={choice} onChoice={setChoice} onMonth={onMonth} />
      <Totals filter={filter} />
      <Rows key={JSON.stringify(filter)} filter={filter} onTopUp={onTopUp} onClear={() => setChoice(NO_CHOICE)} />
    </>
  );
}

/** The address keeps the choice, so that it survives a reload. */
function useChoice(): [choice: Choice, setChoice: (choice: Choice) => void] {
  const [parameters, changeAddress] = useAddressParameters();
  const read = (name: keyof Choice) => parameters.get(name) ?? NO_CHOICE[name];
  const month = read('month');
  const kept: Choice = {
    search: read('search').slice(0, SEARCH_MAX),
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : ALL,
    direction: read('direction'),
    type: read('type'),
  };
  // The address follows a key or two behind, and would take back what is being typed.
  const [choice, setChoice] = useState(kept);
  const change = (next: Choice) => {
    setChoice(next);
    changeAddress((address) => {
      for (const name of CHOICES) {
        if (next[name] === NO_CHOICE[name]) address.delete(name);
        else address.set(name, next[name]);
      }
    });
  };
  return [choice, change];
}

const filterOf = ({ search, month, direction, type }: Choice): StatementFilter => ({
  ...(search !== '' && { search }),
  ...(month !== ALL && daysOfMonth(month)),
  ...((direction === 'in' || direction === 'out') && { direction }),
  ...(isTransactionType(type) && { type }),
});

interface FiltersProps {
  choice: Choice;
  onChoice: (choice: Choice) => void;
  onMonth: () => void;
}

function Filters({ choice, onChoice, onMonth }: FiltersProps) {
  const { data: user } = useCurrentUser();
  const [openedAtMs] = useState(serverNowMs);
  const [isOpen, setOpen] = useState(() => CHOICES.some((name) => name !== 'search' && choice[name] !== ALL));
  const months = statementMonths(user?.createdAt ?? new Date(openedAtMs).toISOString(), openedAtMs);
  // An address may name a month in which the member was not here yet.
  const isListed = choice.month === ALL || months.some(({ value }) => value === choice.month);
  const unlisted = isListed ? [] : [{ value: choice.month, label: choice.month }];
  const of = (name: keyof Choice) => ({
    value: choice[name],
    onChange: ({ target }: { target: { value: string } }) => onChoice({ ...choice, [name]: target.value }),
  });
  return (
    <div className="grid grid-cols-2 items-end gap-3 px-4 pb-4 cramped:grid-cols-1 sm:px-6 lg:grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))_auto]">
      <Field label="Search" className="col-span-2 cramped:col-span-1 lg:col-span-1">
        <TextInput type="search" maxLength={SEARCH_MAX} placeholder="Name, app or quest" {...of('search')} />
      </Field>
      {/* On a phone, they would take the place of the statement. */}
      <Button
        className="sm:hidden"
        aria-expanded={isOpen}
        icon={<SlidersHorizontal aria-hidden="true" className="size-4" />}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide Filters' : 'Show Filters'}
      </Button>
      <div
        className={clsx(
          'col-span-full grid grid-cols-2 gap-3 max-sm:order-last sm:contents',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <Field label="Month">
          <Select options={[{ value: ALL, label: 'All months' }, ...months, ...unlisted]} {...of('month')} />
        </Field>
        <Field label="Direction">
          <Select options={DIRECTION_OPTIONS} {...of('direction')} />
        </Field>
        <Field label="Type">
          <Select options={TYPE_OPTIONS} {...of('type')} />
        </Field>
      </div>
      <Button icon={<FileText aria-hidden="true" className="size-4" />} onClick={onMonth}>
        Statement
      </Button>
    </div>
  );
}

/** What all matching movements add up to, whether or not the list has come to them. */
function Totals({ filter }: { filter: StatementFilter }) {
  const { data, isError, isPlaceholderData } = useStatementTotals(filter);
  if (isError) return null;
  return (
    <dl
      aria-label="Totals"
      aria-busy={data === undefined || isPlaceholderData}
      className={clsx(
        'flex min-h-11 flex-wrap items-center gap-x-6 gap-y-1 border-t border-line px-4 py-2 text-sm transition-opacity sm:px-6',
        isPlaceholderData && 'opacity-60',
      )}
    >
      {data === undefined ? (
        <Skeleton className="h-5 w-64 max-w-full" />
      ) : (
        <>
          <Total name="In" value={data.in} />
          <Total name="Out" value={-data.out} />
          <div className="ml-auto text-xs text-ink-faint tabular-nums">
            <dt className="sr-only">Number</dt>
            <dd>{`${formatCount(data.count)} ${data.count === 1 ? 'movement' : 'movements'}`}</dd>
          </div>
        </>
      )}
    </dl>
  );
}

function Total({ name, value }: { name: string; value: number }) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className="text-ink-muted">{name}</dt>
      <dd>
        <Amount value={value} signed bare className="font-semibold" />
      </dd>
    </div>
  );
}

interface RowsProps {
  filter: StatementFilter;
  onTopUp: () => void;
  onClear: () => void;
}

const FAILURE = 'Your transactions could not be loaded.';

function Rows({ filter, onTopUp, onClear }: RowsProps) {
  const statement = useStatement(filter);
  const rows = statement.data?.pages.flatMap((page) => page.transactions) ?? [];
  const failure = statement.isError ? errorSentence(statement.error, FAILURE) : null;

  if (statement.isPending) return <SkeletonRows />;
  if (statement.data === undefined) {
    return (
      <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void statement.refetch()} retrying={statement.isFetching}>
        {failure}
      </ErrorNote>
    );
  }
  if (rows.length === 0) return <NoRows filter={filter} onTopUp={onTopUp} onClear={onClear} />;
  return (
    <>
      <ul className="divide-y divide-line border-t border-line">
        {rows.map((row) => (
          <StatementRow key={row.id} transaction={row} filter={filter} />
        ))}
      </ul>
      <LoadMore list={statement} failure={statement.isFetchNextPageError ? failure : null} />
    </>
  );
}

function NoRows({ filter, onTopUp, onClear }: RowsProps) {
  if (Object.keys(filter).length > 0) {
    return (
      <EmptyState
        icon={ReceiptText}
        title="Nothing found"
        text="None of your movements match this search and these filters."
        action={<Button onClick={onClear}>Show everything</Button>}
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
