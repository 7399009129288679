import { CHART, usualTaker } from '@app/domain';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { errorSentence, formatCount } from '@/shared/api';
import { Badge, Button, Card, Dialog, EmptyState, ErrorNote, Field } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { SkeletonRows } from '../list-body';
import { AccountSelect } from './account-select';
import { centsText, DebitOrCredit } from './dollar-amount';
import { linesPath } from './dollar-lines';
import { dayOf, lastDay, monthLabel } from './fiscal-period';
import { RequiredReason, SAY_WHY } from '../reason-field';
import {
  OPEN_LISTED_MAX,
  type OpenAccount,
  type OpenSubject,
  useExplainSubject,
  useOpenSubjects,
} from './use-general-ledger';

const DAY_MS = 86_400_000;

type Explained = OpenSubject & Pick<OpenAccount, 'account'>;

/** Payments and disputes over which journal and provider differ at the end of a month. */
export function OpenSubjectsCard({ month }: { month: string }) {
  const open = useOpenSubjects(month);
  const [explaining, setExplaining] = useState<Explained | null>(null);
  const accounts = open.data?.accounts ?? [];
  return (
    <Card
      title="Open payments and disputes"
      description={`What journal and payment provider did not agree on at the end of ${monthLabel(month)}, the oldest first.`}
      flush
      aria-busy={open.isFetching}
    >
      {open.error !== null && (
        <ErrorNote className="mx-4 mb-4 sm:mx-6" onRetry={() => void open.refetch()} retrying={open.isFetching}>
          {errorSentence(open.error, 'What is open could not be loaded.')}
        </ErrorNote>
      )}
      {open.isPending && <SkeletonRows label="Loading what is open" count={3} />}
      {open.error === null && open.isSuccess && accounts.every(({ count }) => count === 0) && (
        <EmptyState icon={Scale} title="Nothing is open" text="Journal and payment provider agree on every payment." />
      )}
      {open.error === null &&
        accounts
          .filter(({ count }) => count > 0)
          .map((account) => (
            <AccountItems
              key={account.account}
              account={account}
              month={month}
              nowMs={open.dataUpdatedAt}
              onExplain={setExplaining}
            />
          ))}
      <ExplainDialog subject={explaining} onClose={() => setExplaining(null)} />
    </Card>
  );
}

interface AccountItemsProps {
  account: OpenAccount;
  month: string;
  nowMs: number;
  onExplain: (subject: Explained) => void;
}

function AccountItems({ account: { account, label, count, subjects }, month, nowMs, onExplain }: AccountItemsProps) {
  return (
    <section aria-label={label}>
      <h3 className="flex items-center gap-2 border-t border-line px-4 pt-4 pb-2 text-sm font-semibold text-ink sm:px-6">
        {label} <Badge>{formatCount(count)}</Badge>
      </h3>
      <ul className="divide-y divide-line">
        {subjects.map((subject) => (
          <SubjectItem
            key={subject.subject}
            subject={{ ...subject, account }}
            to={linesPath({ account, first: '', last: lastDay(month), subject: subject.subject })}
            nowMs={nowMs}
            onExplain={onExplain}
          />
        ))}
      </ul>
      {count > OPEN_LISTED_MAX && (
        <p className="px-4 py-3 text-sm text-ink-muted sm:px-6">
          These are the oldest {formatCount(OPEN_LISTED_MAX)} of {formatCount(count)}.
        </p>
      )}
    </section>
  );
}

interface SubjectItemProps {
  subject: Explained;
  to: string;
  nowMs: number;
  onExplain: (subject: Explained) => void;
}

function SubjectItem({ subject, to, nowMs, onExplain }: SubjectItemProps) {
  const { subject: name, cents, centsNow, since } = subject;
  return (
    <li
      aria-label={name}
      className="flex flex-wrap items-center gap-x-6 gap-y-2 px-4 py-3 text-sm sm:flex-nowrap sm:px-6"
    >
      <div className="min-w-0 flex-1 basis-full sm:basis-0">
        <Link to={to} className="-my-3 inline-block py-3 underline decoration-line-strong underline-offset-4">
          <code className="wrap-anywhere text-ink">{name}</code>
        </Link>
        <p className="text-ink-muted">
          <span>{meaningOf(subject)}</span> {centsNow === 0 && <span>Settled since.</span>}
          {centsNow !== 0 && centsNow !== cents && <span>{centsText(Math.abs(centsNow))} of it is left now.</span>}
        </p>
        <p className="text-xs text-ink-faint">
          Since {dayOf(since, 'UTC')}, {ageText(nowMs - Date.parse(since))}
        </p>
      </div>
      <DebitOrCredit cents={cents} className="text-ink" />
      {centsNow === 0 ? (
        <Badge tone="gain">Settled</Badge>
      ) : (
        <Button size="sm" className="ml-auto" onClick={() => onExplain(subject)} aria-label={`Explain ${name}`}>
          Explain
        </Button>
      )}
    </li>
  );
}

function meaningOf({ account, cents }: Explained): string {
  if (account === 'assets:provider:disputes') {
    return cents > 0
      ? 'The provider holds this back until the dispute ends.'
      : 'The provider gave back more than it took.';
  }
  return cents > 0 ? 'The journal has it, the provider does not.' : 'The provider has it, the journal does not.';
}

function ageText(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  if (days <= 0) return 'less than a day ago';
  return days === 1 ? 'one day ago' : `${formatCount(days)} days ago`;
}

function ExplainDialog({ subject, onClose }: { subject: Explained | null; onClose: () => void }) {
  return (
    <Dialog
      open={subject !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Explain a difference"
      description={
        subject !== null && (
          <span>
            What is left over for <code className="wrap-anywhere">{subject.subject}</code> goes to the account that you
            choose. It is posted with today’s date, and the reconciliation takes it as explained.
          </span>
        )
      }
    >
      {subject !== null && <ExplainForm subject={subject} onDone={onClose} />}
    </Dialog>
  );
}

function ExplainForm({ subject: { account, subject, centsNow }, onDone }: { subject: Explained; onDone: () => void }) {
  const form = useForm({ mode: 'onTouched', defaultValues: { takenBy: usualTaker(centsNow), reason: '' } });
  const explain = useExplainSubject(onDone);
  const takenBy = useWatch({ control: form.control, name: 'takenBy' });
  const submit = form.handleSubmit(({ reason, ...draft }) =>
    explain.mutate({ account, subject, ...draft, reason: reason.trim() }),
  );
  const preview = [
    { label: CHART[takenBy].label, cents: centsNow },
    { label: CHART[account].label, cents: -centsNow },
  ].toSorted((a, b) => b.cents - a.cents);
  return (
    <DialogForm
      submitText={`Post ${centsText(Math.abs(centsNow))}`}
      onSubmit={submit}
      isPending={explain.isPending}
      problem={explain.error && errorSentence(explain.error, 'The difference could not be explained.')}
    >
      <Field label="Account that takes it">
        <AccountSelect {...form.register('takenBy')} />
      </Field>
      <RequiredReason registration={form.register('reason', SAY_WHY)} error={form.formState.errors.reason?.message} />
      <dl aria-label="Postings" className="grid gap-1 rounded-md border border-line bg-sky-700/40 px-4 py-3 text-sm">
        {preview.map(({ label, cents }) => (
          <div key={label} className="flex justify-between gap-4">
            <dt className="min-w-0 text-ink-muted">{label}</dt>
            <dd>
              <DebitOrCredit cents={cents} className="text-ink" />
            </dd>
          </div>
        ))}
      </dl>
    </DialogForm>
  );
}
