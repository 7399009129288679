import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorSentence } from '@/shared/api';
import { Button, Card, Dialog, ErrorNote, Field, Select, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { SkeletonRows } from '../list-body';
import { monthAfter, monthLabel } from './fiscal-period';
import { RequiredReason, SAY_WHY } from '../reason-field';
import { usePolicies, useSetPolicy } from './use-general-ledger';

const DEFAULT_PERCENT = 100;
/** Months from the first open one that can be chosen. */
const MONTHS = 12;

interface PolicyCardProps {
  /** The running month. */
  current: string;
  firstOpen: string;
}

/** What the company chose where the accounting policy leaves a choice (rule finance-10). */
export function PolicyCard({ current, firstOpen }: PolicyCardProps) {
  const { data, error, isPending, isFetching, refetch } = usePolicies();
  const [isChanging, setChanging] = useState(false);
  const policies = data?.policies ?? [];
  const holding = policies.find(({ month }) => month <= current);
  const planned = policies.filter(({ month }) => month > current).toReversed();
  return (
    <Card
      title="Policy"
      description="What each close assumes where accounting leaves you a choice."
      actions={
        <Button
          icon={<Pencil aria-hidden="true" className="size-4" />}
          disabled={data === undefined}
          onClick={() => setChanging(true)}
        >
          Change the policy
        </Button>
      }
    >
      {isPending && <SkeletonRows label="Loading the policy" count={1} />}
      {error !== null && (
        <ErrorNote onRetry={() => void refetch()} retrying={isFetching}>
          {errorSentence(error, 'The policy could not be loaded.')}
        </ErrorNote>
      )}
      {error === null && data !== undefined && (
        <dl className="text-sm">
          <dt className="text-ink-muted">Allowance for what members owe</dt>
          {holding === undefined && <dd className="mt-0.5 font-medium text-ink">{DEFAULT_PERCENT} %, the default</dd>}
          {[...(holding === undefined ? [] : [holding]), ...planned].map(({ allowancePercent, month, reason }) => (
            <dd key={month} className="mt-0.5">
              <span className="font-medium text-ink tabular-nums">
                {allowancePercent} % from {monthLabel(month)}
              </span>
              <span dir="auto" className="block wrap-anywhere text-ink-muted">
                {reason ?? 'The reason was erased.'}
              </span>
            </dd>
          ))}
        </dl>
      )}
      <Dialog
        open={isChanging}
        onOpenChange={(open) => !open && setChanging(false)}
        title="Change the policy"
        description="It holds from the month that you choose, in place of what was set before. Closed months stay as they are."
      >
        {isChanging && (
          <PolicyForm
            percent={policies[0]?.allowancePercent ?? DEFAULT_PERCENT}
            firstOpen={firstOpen}
            onDone={() => setChanging(false)}
          />
        )}
      </Dialog>
    </Card>
  );
}

const PERCENT = /^\s*(100|\d{1,2})\s*$/;

interface PolicyFormProps {
  percent: number;
  firstOpen: string;
  onDone: () => void;
}

function PolicyForm({ percent, firstOpen, onDone }: PolicyFormProps) {
  const form = useForm({
    mode: 'onTouched',
    defaultValues: { percent: String(percent), month: firstOpen, reason: '' },
  });
  const set = useSetPolicy(onDone);
  const { errors } = form.formState;
  const months = Array.from({ length: MONTHS }, (_, place) => monthAfter(firstOpen, place));
  const submit = form.handleSubmit((draft) =>
    set.mutate({ allowancePercent: Number(draft.percent), month: draft.month, reason: draft.reason.trim() }),
  );
  return (
    <DialogForm
      submitText="Set the policy"
      onSubmit={submit}
      isPending={set.isPending}
      problem={set.error && errorSentence(set.error, 'The policy could not be set.')}
    >
      <Field
        label="Allowance in percent"
        hint="How much of what members owe you expect to lose: 100 unless experience says less."
        error={errors.percent?.message}
      >
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          {...form.register('percent', {
            validate: (text) => PERCENT.test(text) || 'Enter a whole number from 0 to 100.',
          })}
        />
      </Field>
      <Field label="From" hint="A month that is not closed.">
        <Select
          options={months.map((month) => ({ value: month, label: monthLabel(month) }))}
          {...form.register('month')}
        />
      </Field>
      <RequiredReason registration={form.register('reason', SAY_WHY)} error={errors.reason?.message} />
    </DialogForm>
  );
}
