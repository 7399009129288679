import { useForm, useWatch } from 'react-hook-form';
import { api, formatNova, type Schemas } from '@/shared/api';
import { Field, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { ReasonField, reasonBody } from './reason-field';
import { useAdminAction } from './user-calls';
import type { AdminUser } from '../use-admin';

/** Names may hold spaces that look like others, and letters that can be written in two ways. */
const comparable = (name: string): string => name.normalize('NFKC').replace(/\s+/g, ' ').trim();

/** Deletes an account for good, once its name is typed. */
export function DeleteAccountForm({ user, onDone }: { user: AdminUser; onDone: () => void }) {
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
