import { zodResolver } from '@hookform/resolvers/zod';
import { TriangleAlert } from 'lucide-react';
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { errorSentence, isOutcomeUnknown, serverNowMs } from '@/shared/api';
import {
  AmountInput,
  Button,
  Dialog,
  ErrorNote,
  errorToast,
  failureToast,
  Field,
  Select,
  StayOpen,
  Textarea,
  TextInput,
  toast,
} from '@/shared/ui';
import { QUEST_TYPES, questKind } from '../../quests/quest-kinds';
import { fromLocalInput, zoneName } from './local-time';
import { complaintOf, emptyDraft, questSchema, toNewQuest, type QuestDraft, warningOf } from './quest-schema';
import { useCreateQuest } from './use-admin-quests';

const TYPES = QUEST_TYPES.map((type) => ({ value: type, label: questKind(type).title }));
const FAILURE = 'Failed to create quest.';

export interface QuestDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The form for a new quest (rule quests-7). */
export function QuestDialog({ open, onOpenChange }: QuestDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title="Create Quest"
      description="Members see it from its start on. Earlier actions do not count."
    >
      {open && <QuestForm onDone={() => onOpenChange(false)} />}
    </Dialog>
  );
}

const TARGET_HINTS: Readonly<Record<string, string>> = {
  nova_earned: 'Nova, from chats and gifts received.',
  messages_sent: 'Messages count once their chat is successful.',
};

const targetHint = (type: string): string => TARGET_HINTS[type] ?? 'How many of them.';

function QuestForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    mode: 'onTouched',
    resolver: zodResolver(questSchema),
    defaultValues: emptyDraft(serverNowMs()),
  });
  const creation = useCreateQuest();
  const isUnknown = isOutcomeUnknown(creation.error);

  const submit = form.handleSubmit(
    (draft) =>
      creation.mutate(toNewQuest(draft), {
        onSuccess({ title, status }) {
          const description = `“${title}” is ${status === 'active' ? 'active now' : 'scheduled'}.`;
          toast({ title: 'Quest Created', description });
          onDone();
        },
        onError: (error) => errorToast('Error', error, FAILURE),
      }),
    () => {
      const { title, sentence } = complaintOf(form.getValues());
      failureToast(title, sentence);
    },
  );
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => void submit(event)}>
      <StayOpen while={creation.isPending} />
      <QuestFields form={form} isLocked={isUnknown} />
      {creation.error !== null && !creation.isPending && (
        <ErrorNote>
          {errorSentence(creation.error, FAILURE)}
          {isUnknown && <span> The quest may have been created. Creating it again does not make a second one.</span>}
        </ErrorNote>
      )}
      <Button type="submit" size="lg" variant="primary" pending={creation.isPending}>
        Create Quest
      </Button>
    </form>
  );
}

interface QuestFieldsProps {
  form: UseFormReturn<QuestDraft>;
  /** The quest may already exist: with other words, the next try would create a second one. */
  isLocked: boolean;
}

function QuestFields({ form, isLocked }: QuestFieldsProps) {
  const { errors } = form.formState;
  const [type, startTime] = useWatch({ control: form.control, name: ['type', 'startTime'] });
  return (
    <fieldset disabled={isLocked} className="contents">
      <Field label="Title" error={errors.title?.message}>
        <TextInput autoComplete="off" placeholder="Say something kind" {...form.register('title')} />
      </Field>
      <Field label="Description" error={errors.description?.message}>
        <Textarea rows={2} {...form.register('description')} />
      </Field>
      <div className="grid grid-cols-1 items-start gap-4 sm:grid-cols-2">
        <Field label="What counts">
          <Select options={TYPES} {...form.register('type', { deps: ['target'] })} />
        </Field>
        <Field label="Target" hint={errors.target ? undefined : targetHint(type)} error={errors.target?.message}>
          <TextInput inputMode="decimal" autoComplete="off" {...form.register('target')} />
        </Field>
        <Field label="Starts" error={errors.startTime?.message}>
          <TextInput type="datetime-local" {...form.register('startTime', { deps: ['endTime'] })} />
        </Field>
        <Field label="Ends" error={errors.endTime?.message}>
          <TextInput type="datetime-local" {...form.register('endTime')} />
        </Field>
      </div>
      <p className="-mt-2 text-xs text-ink-faint">
        Times of {zoneName(fromLocalInput(startTime) ?? serverNowMs())}. Members can claim rewards for 24 hours after
        the end.
      </p>
      {/* The error replaces the hint, so that the button below does not move while it is being pressed. */}
      <Field
        label="Reward"
        hint={errors.reward ? undefined : 'Issued to each member who completes the quest and claims it.'}
        error={errors.reward?.message}
      >
        <AmountInput {...form.register('reward')} />
      </Field>
      <RewardWarning form={form} />
    </fieldset>
  );
}

/** Warns, while the admin types, if the reward pays more than earning it costs; says the least that it costs. */
function RewardWarning({ form }: { form: UseFormReturn<QuestDraft> }) {
  const [type, target, reward] = useWatch({ control: form.control, name: ['type', 'target', 'reward'] });
  const warning = warningOf({ type, target, reward });
  return (
    <output>
      {warning !== undefined && (
        <p className="flex items-start gap-2 text-xs text-hold">
          <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
          {warning}
        </p>
      )}
    </output>
  );
}
