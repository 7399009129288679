import { useForm, useWatch } from 'react-hook-form';
import { api, parseNova, type Schemas } from '@/shared/api';
import { AmountInput, Field, Select, TextInput } from '@/shared/ui';
import { DialogForm } from '../dialog-form';
import { reasonBody, ReasonField } from '../reason-field';
import { useAdminAction } from '../users/user-calls';

const OTHER = 'other';
const WATCHED = [
  { value: 'treasury', label: 'Treasury' },
  { value: 'total:members', label: 'Nova of all members' },
  { value: 'total:circulation', label: 'Nova in circulation' },
  { value: 'pool:influence', label: 'Influence pool' },
  { value: 'pool:karma', label: 'Karma pool' },
  { value: OTHER, label: 'Another account' },
];
const DIRECTIONS = [
  { value: 'above', label: 'Rises above' },
  { value: 'below', label: 'Falls below' },
];

/** What is watched, in words; an account without words by its name. */
export const watchedLabel = (account: string): string =>
  WATCHED.find(({ value }) => value === account)?.label ?? account;

/** Names an account or a total, a direction and a limit. */
export function WatchForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    mode: 'onTouched',
    defaultValues: { watched: 'treasury', account: '', direction: 'above', limit: '', reason: '' },
  });
  const { errors } = form.formState;
  const isOther = useWatch({ control: form.control, name: 'watched' }) === OTHER;
  const action = useAdminAction({
    async act(body: Schemas['SetWatchDto']) {
      await api.post('/api/admin/watches', { body });
      return { message: `${watchedLabel(body.account)} is watched from now on.` };
    },
    done: 'Balance Watched',
    failure: 'Failed to watch the balance',
    onDone,
  });
  const submit = form.handleSubmit(({ watched, account, direction, limit, reason }) =>
    action.run({
      account: watched === OTHER ? account.trim() : watched,
      direction: direction === 'below' ? 'below' : 'above',
      limit: parseNova(limit) ?? 0,
      ...reasonBody(reason),
    }),
  );
  return (
    <DialogForm submitText="Watch it" onSubmit={submit} isPending={action.isPending} problem={action.problem}>
      <Field label="Balance">
        <Select options={WATCHED} {...form.register('watched')} />
      </Field>
      {isOther && (
        <Field
          label="Account"
          hint="Its name in the books, such as user:{id}:earned, app:{client id}:purchased, chat:{id} or pool:thread:{id}."
          error={errors.account?.message}
        >
          <TextInput
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            {...form.register('account', { validate: (text) => text.trim() !== '' || 'Enter the name of an account.' })}
          />
        </Field>
      )}
      <Field label="When it">
        <Select options={DIRECTIONS} {...form.register('direction')} />
      </Field>
      <Field label="Limit" error={errors.limit?.message}>
        <AmountInput
          {...form.register('limit', {
            validate: (text) => parseNova(text) !== null || 'Enter a number of Nova with at most two decimals.',
          })}
        />
      </Field>
      <ReasonField registration={form.register('reason')} />
    </DialogForm>
  );
}
