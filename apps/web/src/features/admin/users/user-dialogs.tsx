import { MEMBER_RATING_MAX, PASSWORD_MAX, RESET_PASSWORD_MIN, RESET_PIN_LENGTH } from '@app/domain';
import type { ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { api, formatNova, type Schemas } from '@/shared/api';
import { Dialog, Field, PasswordInput, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import type { AdminUser } from '../use-admin';
import { BlockEmailForm } from './block-email-form';
import { ChangeNovaDialog } from './change-nova-dialog';
import { reasonBody, ReasonField } from '../reason-field';
import type { UserAction } from './user-actions';
import { useAdminAction } from './user-calls';
import { UserComments } from './user-comments';
import { NameAndEmail, ratingText } from './user-parts';

/** An action that opens a dialog, and its user. */
export interface StartedAction {
  action: Exclude<UserAction, 'transactions'>;
  user: AdminUser;
}

interface DialogContent {
  title: string;
  description: ReactNode;
  size?: 'md' | 'lg';
  form: ReactNode;
}

/** The dialog of the started action; none while it is null. */
export function UserDialogs({ started, onClose }: { started: StartedAction | null; onClose: () => void }) {
  const novaChange = started?.action === 'add' || started?.action === 'deduct' ? started.action : null;
  const content = started === null || novaChange !== null ? null : contentOf(started, onClose);
  return (
    <>
      <ChangeNovaDialog
        changing={started === null || novaChange === null ? null : { user: started.user, change: novaChange }}
        onClose={onClose}
      />
      <Dialog
        open={content !== null}
        onOpenChange={(open) => !open && onClose()}
        title={content?.title ?? ''}
        description={content?.description}
        size={content?.size ?? 'md'}
      >
        {content?.form}
      </Dialog>
    </>
  );
}

function contentOf({ action, user }: StartedAction, onDone: () => void): DialogContent | null {
  const name = <NameAndEmail user={user} />;
  switch (action) {
    case 'password':
      return {
        title: 'Reset Password',
        description: <>{name} is signed out everywhere.</>,
        form: <ResetPasswordForm user={user} onDone={onDone} />,
      };
    case 'pin':
      return {
        title: 'Reset PIN',
        description: <>{name} is signed out everywhere.</>,
        form: <ResetPinForm user={user} onDone={onDone} />,
      };
    case 'rating':
      return {
        title: 'Change Rating',
        description: (
          <>
            {name} has {ratingText(user)}.
          </>
        ),
        form: <ChangeRatingForm user={user} onDone={onDone} />,
      };
    case 'comments':
      return {
        title: 'Comments',
        description: (
          <>
            What was written about <bdi>{user.displayName}</bdi>, and by them.
          </>
        ),
        size: 'lg',
        form: <UserComments user={user} />,
      };
    case 'block':
      return {
        title: 'Block E-mail',
        description: 'Nobody can register with it any more.',
        form: <BlockEmailForm email={user.email} onDone={onDone} />,
      };
    case 'make-admin':
      return {
        title: 'Make Admin',
        description: <>{name} will see and do everything that is in this panel.</>,
        form: <ChangeAdminForm user={user} change="make" onDone={onDone} />,
      };
    case 'unmake-admin':
      return {
        title: 'Take Admin Rights',
        description: <>{name} loses this panel at once, and stays a member.</>,
        form: <ChangeAdminForm user={user} change="unmake" onDone={onDone} />,
      };
    case 'delete':
      return {
        title: 'Delete Account',
        description: <>{name} is deleted for good. This cannot be undone.</>,
        form: <DeleteAccountForm user={user} onDone={onDone} />,
      };
    case 'add':
    case 'deduct':
      return null;
  }
}

const CHANGES = {
  make: { submitText: 'Make Admin', variant: 'primary', done: 'Admin Made', failure: 'Failed to make an admin' },
  unmake: {
    submitText: 'Take Admin Rights',
    variant: 'danger',
    done: 'Admin Rights Taken',
    failure: 'Failed to take admin rights',
  },
} as const;

/** Makes a member an admin, or takes their rights (rule admin-18). */
function ChangeAdminForm({ user, change, onDone }: ResetFormProps & { change: 'make' | 'unmake' }) {
  const form = useForm({ defaultValues: { reason: '' } });
  const { submitText, variant, done, failure } = CHANGES[change];
  const action = useAdminAction({
    act: (body: Schemas['ReasonDto']) =>
      api.post(`/api/admin/users/{id}/${change}-admin`, { path: { id: user.id }, body }),
    done,
    failure,
    onDone,
  });
  const submit = form.handleSubmit(({ reason }) => action.run(reasonBody(reason)));
  return (
    <DialogForm
      submitText={submitText}
      variant={variant}
      onSubmit={submit}
      isPending={action.isPending}
      problem={action.problem}
    >
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}

const RATING = /^\d(?:\.\d{1,2})?$/;

const problemOf = (text: string): true | string =>
  RATING.test(text.trim()) || 'Enter a rating from 0.00 to 9.99 with at most two decimals.';

/** Replaces the rating that members gave (rule ratings-6), until the next one is given. */
function ChangeRatingForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
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

/** Names may contain spaces that look alike, and letters that can be encoded in two ways. */
const comparable = (name: string): string => name.normalize('NFKC').replace(/\s+/g, ' ').trim();

/** Deletes an account for good, once its name is typed. */
function DeleteAccountForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  const form = useForm({ defaultValues: { name: '', reason: '' } });
  const action = useAdminAction({
    act: (body: Schemas['ReasonDto']) => api.delete('/api/admin/users/{id}', { path: { id: user.id }, body }),
    done: 'Account Deleted',
    failure: 'Failed to delete user',
    onDone,
  });
  const isMeant = comparable(useWatch({ control: form.control, name: 'name' })) === comparable(user.displayName);
  const submit = form.handleSubmit(({ reason }) => action.run(reasonBody(reason)));
  return (
    <DialogForm
      submitText="Delete Account"
      variant="danger"
      disabled={!isMeant}
      onSubmit={submit}
      isPending={action.isPending}
      problem={action.problem}
    >
      <ul className="list-disc space-y-1 rounded-md border border-line bg-sky-700/40 py-3 pr-4 pl-8 text-sm text-ink-muted">
        <li>They are signed out at once and cannot sign in again.</li>
        <li>Their name, pictures, posts, messages and reviews are erased.</li>
        <li>Open chats end, and {formatNova(user.novaBalance)} Nova are forfeited.</li>
      </ul>
      <Field
        label={
          <>
            Type <bdi className="font-semibold">{user.displayName}</bdi> to confirm
          </>
        }
      >
        <TextInput autoComplete="off" spellCheck={false} dir="auto" {...form.register('name')} />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}

interface ResetFormProps {
  user: AdminUser;
  onDone: () => void;
}

/** Sets a new password, which signs out everyone who is signed in with the old one. */
function ResetPasswordForm({ user, onDone }: ResetFormProps) {
  const form = useForm({ mode: 'onTouched', defaultValues: { newPassword: '', reason: '' } });
  const action = useAdminAction({
    act: (body: Schemas['ResetPasswordDto']) =>
      api.post('/api/admin/users/{id}/reset-password', { path: { id: user.id }, body }),
    done: 'Password Reset',
    failure: 'Failed to reset password',
    onDone,
  });
  const submit = form.handleSubmit(({ newPassword, reason }) => action.run({ newPassword, ...reasonBody(reason) }));
  const validate = (text: string) =>
    Array.from(text).length >= RESET_PASSWORD_MIN || `The password needs at least ${RESET_PASSWORD_MIN} characters.`;
  return (
    <DialogForm submitText="Reset Password" onSubmit={submit} isPending={action.isPending} problem={action.problem}>
      <Field label="New password" error={form.formState.errors.newPassword?.message}>
        <PasswordInput
          autoComplete="new-password"
          maxLength={PASSWORD_MAX}
          {...form.register('newPassword', { validate })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}

/** Sets a new recovery PIN of four digits; other characters are left out. */
function ResetPinForm({ user, onDone }: ResetFormProps) {
  const form = useForm({ mode: 'onTouched', defaultValues: { newPin: '', reason: '' } });
  const action = useAdminAction({
    act: (body: Schemas['ResetPinDto']) => api.post('/api/admin/users/{id}/reset-pin', { path: { id: user.id }, body }),
    done: 'PIN Reset',
    failure: 'Failed to reset PIN',
    onDone,
  });
  const submit = form.handleSubmit(({ newPin, reason }) => action.run({ newPin, ...reasonBody(reason) }));
  const pin = form.register('newPin', {
    validate: (text) => text.length === RESET_PIN_LENGTH || `The PIN needs exactly ${RESET_PIN_LENGTH} digits.`,
  });
  return (
    <DialogForm submitText="Reset PIN" onSubmit={submit} isPending={action.isPending} problem={action.problem}>
      <Field label="New PIN" hint="Lets the member set a new password." error={form.formState.errors.newPin?.message}>
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          className="tabular-nums"
          {...pin}
          onChange={(event) => {
            event.target.value = event.target.value.replace(/[^0-9]/g, '').slice(0, RESET_PIN_LENGTH);
            void pin.onChange(event);
          }}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}
