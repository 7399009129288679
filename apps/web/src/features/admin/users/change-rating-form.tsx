import { MEMBER_RATING_MAX } from '@app/domain';
import { useForm } from 'react-hook-form';
import { api, type Schemas } from '@/shared/api';
import { Field, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { ReasonField, reasonBody } from './reason-field';
import { useAdminAction } from './user-calls';
import type { AdminUser } from '../use-admin';

const RATING = /^\d(?:\.\d{1,2})?$/;

const problemOf = (text: string): true | string =>
  RATING.test(text.trim()) || 'Enter a rating from 0.00 to 9.99 with at most two decimals.';

/** A rating in place of the one that members gave (rule ratings-6): it stands until the next one. */
export function ChangeRatingForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const form = useForm({ mode: 'onTouched', defaultValues: { rating: user.rating.toFixed(2), reason: '' } });
  const action = useAdminAction({
    act: (body: Schemas['ChangeRatingDto']) =>
      api.post('/api/admin/users/{id}/change-rating', { path: { id: user.id }, body }),
    done: 'Rating Updated',
    failure: 'Failed to update rating',
    onDone,
  });
  const submit = form.handleSubmit(({ rating, reason }) =>
    action.run({ rating: Number(rating), ...reasonBody(reason) }),
  );
  return (
    <DialogForm submitText="Change Rating" onSubmit={submit} isPending={action.isPending} problem={action.problem}>
      <Field
        label="New rating"
        hint="0.00 to 9.99. The next rating by a member is averaged with it."
        error={form.formState.errors.rating?.message}
      >
        <TextInput
          type="number"
          inputMode="decimal"
          min={0}
          max={MEMBER_RATING_MAX}
          step={0.01}
          className="tabular-nums"
          {...form.register('rating', { validate: problemOf })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}
