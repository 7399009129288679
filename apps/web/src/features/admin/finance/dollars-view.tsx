import { Landmark } from 'lucide-react';
import { errorSentence } from '@/shared/api';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { Badge, Card, EmptyState, ErrorNote, Field, Select, TextInput } from '@/shared/ui';
import { SkeletonRows } from '../list-body';
import { CURRENCY_NAMES } from './dollar-amount';
import { DollarLines, linesPlaceOf } from './dollar-lines';
import { type Column, StatementTables } from './financial-statements';
import { dayOf, firstDay, lastDay, monthOfDay, monthOptions, periodLabel } from './fiscal-period';
import { useDayNow } from './use-day-now';
import { type PeriodStatements, type StatementsAsked, useStatements } from './use-general-ledger';

const SKELETON_ROWS = 12;
const DAYS = 'days';
const NOTHING = 'nothing';

/** The financial statements of a period, and the lines behind each figure. The address says which is shown. */
export function DollarsView() {
  const [parameters, changeAddress] = useAddressParameters();
  const of = (name: keyof StatementsAsked): string => parameters.get(name) ?? '';
  const asked: StatementsAsked = { month: of('month'), from: of('from'), to: of('to'), compare: of('compare') };
  const place = linesPlaceOf(parameters);
  if (place !== undefined) return <DollarLines key={JSON.stringify(place)} place={place} back={{ ...asked }} />;
  const choose = (chosen: Partial<StatementsAsked>) =>
    changeAddress((address) => {
      for (const [name, value] of Object.entries(chosen)) {
        if (value === '') address.delete(name);
        else address.set(name, value);
      }
    });
  return <Statements asked={asked} onChoose={choose} />;
}

interface StatementsProps {
  asked: StatementsAsked;
  onChoose: (chosen: Partial<StatementsAsked>) => void;
}

function Statements({ asked, onChoose }: StatementsProps) {
  const report = useStatements(asked);
  const { data, error } = report;
  const timeZone = data?.timeZone ?? 'UTC';
  const columns = [data?.statements, data?.comparison].flatMap((statements) =>
    statements ? [columnOf(statements, timeZone)] : [],
  );
  const [shown] = columns;
  return (
    <div className="grid grid-cols-1 gap-6" aria-busy={report.isFetching}>
      <Card
        title="Books in dollars"
        description={`Every figure follows from the journal and the payment provider’s movements. Press one to see its lines.${data ? ` Currency: ${CURRENCY_NAMES[data.currency]}. Time zone: ${timeZone}.` : ''}`}
        actions={shown && <ClosedMark isClosed={shown.statements.isClosed} />}
      >
        <PeriodFields asked={asked} timeZone={timeZone} onChoose={onChoose} />
        <p className="hidden print:block">
          {columns
            .map(({ label, statements: { isClosed } }) => `${label} (${isClosed ? 'closed' : 'open'})`)
            .join(', compared with ')}
        </p>
        {error !== null && (
          <ErrorNote className="mt-4" onRetry={() => void report.refetch()} retrying={report.isFetching}>
            {errorSentence(error, 'The statements could not be loaded.')}
          </ErrorNote>
        )}
      </Card>
      {error === null && data === undefined && (
        <Card flush>
          <SkeletonRows label="Loading the statements" count={SKELETON_ROWS} />
        </Card>
      )}
      {error === null && data !== undefined && columns.every(isEmpty) && (
        <Card>
          <EmptyState
            icon={Landmark}
            title="Nothing yet"
            text="No Nova was bought up to the end of this period, and the payment provider moved nothing."
          />
        </Card>
      )}
      {error === null && data !== undefined && !columns.every(isEmpty) && (
        <StatementTables columns={columns} currency={data.currency} back={{ ...asked }} />
      )}
    </div>
  );
}

function columnOf(statements: PeriodStatements, timeZone: string): Column {
  const [first, last] = [dayOf(statements.period.from, timeZone), dayOf(statements.period.to, timeZone)];
  return { statements, first, last, label: periodLabel(first, last) };
}

const isEmpty = ({ statements: { balanceSheet, incomeStatement } }: Column): boolean =>
  [
    balanceSheet.assets,
    balanceSheet.liabilities,
    balanceSheet.equity,
    incomeStatement.revenue,
    incomeStatement.expenses,
  ].every(({ figures }) => figures.length === 0);

/** Figures of a closed period stay as they are. */
const ClosedMark = ({ isClosed }: { isClosed: boolean }) =>
  isClosed ? <Badge tone="gain">Closed</Badge> : <Badge>Open</Badge>;

interface PeriodFieldsProps extends StatementsProps {
  timeZone: string;
}

/** A month, or days, and another month to compare. */
function PeriodFields({ asked: { month, from, to, compare }, timeZone, onChoose }: PeriodFieldsProps) {
  const current = monthOfDay(useDayNow(timeZone));
  const isOfDays = from !== '' || to !== '';
  const shown = month === '' ? current : month;
  const choosePeriod = (value: string) => {
    if (value === DAYS) onChoose({ month: '', from: firstDay(shown), to: lastDay(shown) });
    else onChoose({ month: value, from: '', to: '' });
  };
  return (
    <div className="grid grid-cols-2 items-end gap-4 print:hidden cramped:grid-cols-1 lg:grid-cols-[13rem_13rem_12rem_12rem]">
      <Field label="Period" className="col-span-2 cramped:col-span-1 sm:col-span-1">
        <Select
          options={[...monthOptions(current, month), { value: DAYS, label: 'Days…' }]}
          value={isOfDays ? DAYS : shown}
          onChange={({ target }) => choosePeriod(target.value)}
        />
      </Field>
      <Field label="Compare with" className="col-span-2 cramped:col-span-1 sm:col-span-1">
        <Select
          options={[{ value: NOTHING, label: 'Nothing' }, ...monthOptions(current, compare)]}
          value={compare === '' ? NOTHING : compare}
          onChange={({ target }) => onChoose({ compare: target.value === NOTHING ? '' : target.value })}
        />
      </Field>
      {isOfDays && (
        <>
          <Field label={`First day (${timeZone})`}>
            <TextInput
              type="date"
              value={from}
              {...(to !== '' && { max: to })}
              onChange={({ target }) => onChoose({ from: target.value })}
            />
          </Field>
          <Field label={`Last day (${timeZone})`}>
            <TextInput
              type="date"
              value={to}
              {...(from !== '' && { min: from })}
              onChange={({ target }) => onChoose({ to: target.value })}
            />
          </Field>
        </>
      )}
    </div>
  );
}
