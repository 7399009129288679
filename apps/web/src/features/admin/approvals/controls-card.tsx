import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api, errorSentence, parseNova, sayAmount, type Schemas } from '@/shared/api';
import { AmountInput, Button, Card, Dialog, ErrorNote, Field, RelativeTime, Skeleton } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { reasonBody, ReasonField } from '../reason-field';
import { useAdminAction } from '../users/user-calls';
import { type Controls, useControls } from './use-approvals';

const LIMIT_NOVA_MAX = 1_000_000_000;
const COMPLAINT = 'Enter 0 to 1,000,000,000 Nova, or nothing for no limit.';

/** The limits for admins (rules admin-19 to admin-21). */
export function ControlsCard() {
  const controls = useControls();
  const [isChanging, setChanging] = useState(false);
  return (
    <Card
      title="Limits of admins"
      description="They hold for grants, deductions, reversals and files. Raising a limit, or taking it away, needs a second admin."
      actions={
        <Button disabled={controls.data === undefined} onClick={() => setChanging(true)}>
          Change the limits
        </Button>
      }
    >
      {controls.error !== null && (
        <ErrorNote onRetry={() => void controls.refetch()} retrying={controls.isFetching}>
          {errorSentence(controls.error, 'The limits could not be loaded.')}
        </ErrorNote>
      )}
      {controls.error === null && controls.data === undefined && <Skeleton className="h-12 w-full" />}
      {controls.data !== undefined && <Limits controls={controls.data} />}
      <Dialog
        open={isChanging}
        onOpenChange={setChanging}
        title="Change the limits"
        description="Leave a field empty for no limit."
      >
        {controls.data !== undefined && <ControlsForm controls={controls.data} onDone={() => setChanging(false)} />}
      </Dialog>
    </Card>
  );
}

const limitText = (nova: number | null): string => (nova === null ? 'No limit' : sayAmount(nova));

function Limits({ controls }: { controls: Controls }) {
  const { threshold, dailyCap, admins, changedBy, changedAt } = controls;
  return (
    <>
      <dl className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <div>
          <dt className="text-sm text-ink-muted">At once, without a second admin</dt>
          <dd className="text-lg font-semibold text-ink tabular-nums">{limitText(threshold)}</dd>
        </div>
        <div>
          <dt className="text-sm text-ink-muted">Granted by an admin in a day (UTC)</dt>
          <dd className="text-lg font-semibold text-ink tabular-nums">{limitText(dailyCap)}</dd>
        </div>
      </dl>
      {threshold !== null && admins < 2 && (
        <p className="mt-3 text-sm text-hold">There is one admin, so nothing waits. Make a second one first.</p>
      )}
      {changedBy !== null && changedAt !== null && (
        <p className="mt-3 text-xs text-ink-faint">
          Changed by <bdi>{changedBy.displayName}</bdi> <RelativeTime iso={changedAt} />
        </p>
      )}
    </>
  );
}

/** Nothing is no limit; null is no amount. */
function readLimit(text: string): { limit: number | null } | null {
  if (text.trim() === '') return { limit: null };
  const limit = parseNova(text);
  return limit === null || limit < 0 || limit > LIMIT_NOVA_MAX ? null : { limit };
}

function ControlsForm({ controls, onDone }: { controls: Controls; onDone: () => void }) {
  const form = useForm({
    mode: 'onTouched',
    defaultValues: {
      threshold: controls.threshold?.toString() ?? '',
      dailyCap: controls.dailyCap?.toString() ?? '',
      reason: '',
    },
  });
  const { errors } = form.formState;
  const action = useAdminAction({
    act: async (body: Schemas['ChangeControlsDto']) => {
      const answer = await api.put('/api/admin/controls', { body });
      return 'code' in answer ? answer : { message: 'The new limits hold from now on.' };
    },
    done: 'Limits Changed',
    failure: 'Failed to change the limits',
    onDone,
  });
  const submit = form.handleSubmit(({ threshold, dailyCap, reason }) =>
    action.run({
      threshold: readLimit(threshold)?.limit ?? null,
      dailyCap: readLimit(dailyCap)?.limit ?? null,
      ...reasonBody(reason),
    }),
  );
  const validate = (text: string) => readLimit(text) !== null || COMPLAINT;
  return (
    <DialogForm submitText="Change the limits" onSubmit={submit} isPending={action.isPending} problem={action.problem}>
      <Field
        label="Second admin above"
        hint="What is given or taken at once beyond this waits for another admin."
        error={errors.threshold?.message}
      >
        <AmountInput {...form.register('threshold', { validate })} />
      </Field>
      <Field
        label="Daily cap of each admin"
        hint="Grants and files of a day (UTC) together."
        error={errors.dailyCap?.message}
      >
        <AmountInput {...form.register('dailyCap', { validate })} />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}
