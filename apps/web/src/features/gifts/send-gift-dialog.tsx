import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type Ref, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  currentUserQuery,
  errorSentence,
  formatNova,
  isOutcomeUnknown,
  minorToNova,
  novaToMinor,
  type PaidPress,
  parseNova,
  sayAmount,
  type Schemas,
} from '@/shared/api';
import { useHeldValue } from '@/shared/hooks/use-held-value';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { AmountInput, Dialog, ErrorNote, errorToast, Field, PaidButton, StayOpen, toast, TOP_UP } from '@/shared/ui';
import { GiftDistribution } from './gift-distribution';
import {
  amountComplaint,
  GIFT_NOVA_MAX,
  GIFT_NOVA_MIN,
  GIFT_NOVA_STEP,
  type GiftComplaint,
  readGift,
  SELECT_RECIPIENT,
} from './gift-rules';
import { ChosenPerson, PersonSearch } from './person-search';
import { isSearchable, useGiftPreview, useSendGift, useUserSearch } from './use-gifts';

export interface SendGiftDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Gives Nova to someone (rule gifts-7). Opening the dialog again starts a new gift. */
export function SendGiftDialog({ open, onOpenChange }: SendGiftDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Send Gift"
      description="Half goes to the recipient, half to everyone who holds Influence."
    >
      <SendGiftForm onSent={() => onOpenChange(false)} />
    </Dialog>
  );
}

function SendGiftForm({ onSent }: { onSent: () => void }) {
  const send = useSendGift();
  const amountInput = useRef<HTMLInputElement>(null);
  // While it is unknown whether the gift was sent, only the very same gift may be retried.
  const isLocked = send.isPending || isOutcomeUnknown(send.error);
  const draft = useGiftDraft(isLocked);
  const { recipient, preview } = draft;

  const submit = (press: PaidPress) => {
    draft.touch('amount');
    const gift = draft.read();
    if ('complaint' in gift) {
      refuse(gift.complaint);
      return;
    }
    send.mutate(
      { gift, press },
      {
        onSuccess(sent) {
          saySent(sent, recipient?.displayName ?? 'them');
          onSent();
        },
        onError: (error) => errorToast('Gift Failed', error, 'The gift could not be sent.'),
      },
    );
  };
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={(event) => event.preventDefault()}>
      <StayOpen while={send.isPending} />
      <Field
        label="Recipient"
        error={draft.recipientError}
        {...(recipient === null && { hint: 'At least 3 characters of a name, or a whole e-mail address.' })}
      >
        <RecipientField
          recipient={recipient}
          disabled={isLocked}
          onLeave={() => draft.touch('recipient')}
          onChoose={(chosen) => {
            draft.setRecipient(chosen);
            if (chosen !== null) amountInput.current?.focus();
          }}
        />
      </Field>
      <GiftAmountField
        ref={amountInput}
        text={draft.amountText}
        novaBalance={draft.novaBalance}
        complaint={draft.amountComplaint}
        readOnly={isLocked}
        onTextChange={draft.setAmountText}
        onBlur={() => draft.amountText !== '' && draft.touch('amount')}
      />
      {draft.hasPreview && preview.error === null && <GiftDistribution preview={preview.data} />}
      {preview.error !== null && (
        <ErrorNote>{errorSentence(preview.error, 'This gift could not be previewed.')}</ErrorNote>
      )}
      {send.error !== null && !send.isPending && <ErrorNote>{sendFailure(send.error)}</ErrorNote>}
      <PaidButton
        type="submit"
        variant="primary"
        size="lg"
        pending={send.isPending}
        disabled={!draft.canSend}
        buys={`gift ${recipient?.id ?? ''}`}
        onPay={submit}
      >
        {draft.amount === null ? 'Send Nova' : `Send ${sayAmount(draft.amount)}`}
      </PaidButton>
    </form>
  );
}

const refuse = ({ title, sentence: description, isShort }: GiftComplaint) =>
  toast({ title, description, variant: 'destructive', ...(isShort && { link: TOP_UP }) });

const saySent = ({ gift: { amount, recipientShare } }: Schemas['SentGiftDto'], to: string) =>
  toast({
    title: 'Gift Sent',
    description: `Of your ${sayAmount(amount)}, ${sayAmount(recipientShare)} went to ${to}.`,
  });

function sendFailure(error: unknown): string {
  const sentence = errorSentence(error, 'The gift could not be sent.');
  if (!isOutcomeUnknown(error)) return sentence;
  return `${sentence} We could not confirm that the gift was sent. You can send it again: you are never charged twice.`;
}

interface GiftAmountFieldProps {
  text: string;
  novaBalance: number;
  complaint: GiftComplaint | null;
  readOnly: boolean;
  ref: Ref<HTMLInputElement>;
  onTextChange: (text: string) => void;
  onBlur: () => void;
}

/** The amount of Nova to give; the arrow keys step by 100 (rule gifts-7). */
function GiftAmountField(props: GiftAmountFieldProps) {
  const { text, novaBalance, complaint, readOnly, ref, onTextChange, onBlur } = props;
  const stepOnArrow = (event: KeyboardEvent) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined || readOnly) return;
    event.preventDefault();
    onTextChange(formatNova(stepped(text, direction), { decimals: 'trim' }));
  };
  return (
    <Field
      label="Amount"
      error={complaint?.sentence}
      hint={`1,000 to 1,000,000 Nova. You have ${formatNova(novaBalance)}.`}
      aside={
        complaint?.isShort && (
          <Link to={TOP_UP.to} className="text-sm font-medium text-nova underline underline-offset-2">
            {TOP_UP.label}
          </Link>
        )
      }
    >
      <AmountInput
        ref={ref}
        placeholder="1,000"
        readOnly={readOnly}
        value={text}
        onChange={(event) => onTextChange(event.target.value)}
        onBlur={onBlur}
        onKeyDown={stepOnArrow}
      />
    </Field>
  );
}

/** The next amount within the limits; from an empty field, the smallest gift. */
function stepped(text: string, direction: number): number {
  const current = parseNova(text);
  if (current === null) return GIFT_NOVA_MIN;
  const next = minorToNova(novaToMinor(current) + direction * novaToMinor(GIFT_NOVA_STEP));
  return Math.min(Math.max(next, GIFT_NOVA_MIN), GIFT_NOVA_MAX);
}

interface RecipientFieldProps {
  recipient: Schemas['FoundUserDto'] | null;
  disabled: boolean;
  onChoose: (recipient: Schemas['FoundUserDto'] | null) => void;
  onLeave: () => void;
}

/** Finds the recipient of the gift; the results never include the sender. */
function RecipientField({ recipient, disabled, onChoose, onLeave }: RecipientFieldProps) {
  const [text, setText] = useState('');
  const query = useSettledValue(text.trim());
  const search = useUserSearch(query);
  if (recipient !== null) {
    return (
      <ChosenPerson
        person={recipient}
        detail={ratingText(recipient)}
        disabled={disabled}
        onClear={() => onChoose(null)}
      />
    );
  }
  return (
    <PersonSearch
      text={text}
      onTextChange={setText}
      onLeave={onLeave}
      found={query === text.trim() ? search.data : undefined}
      isSearchable={isSearchable(text.trim())}
      isSearching={search.isFetching}
      error={search.error}
      placeholder="Search for a member"
      detailOf={ratingText}
      onChoose={onChoose}
    />
  );
}

const ratingText = ({ averageRating }: Schemas['FoundUserDto']): string =>
  averageRating > 0 ? `★ ${averageRating.toFixed(2)}` : 'Not rated yet';

/**
 * A gift in preparation: its recipient and amount, what is wrong with it, and its effect on everyone.
 * @param isOnItsWay it was sent, and the outcome is not known yet
 */
function useGiftDraft(isOnItsWay: boolean) {
  // The balance may have changed since this page was opened, so it is fetched again for every gift.
  const { data: user } = useQuery({ ...currentUserQuery, refetchOnMount: 'always' });
  const novaBalance = user?.novaBalance ?? 0;
  const available = useHeldValue(novaBalance, isOnItsWay);
  const [recipient, setRecipient] = useState<Schemas['FoundUserDto'] | null>(null);
  const [amountText, setAmountText] = useState('');
  const [touched, setTouched] = useState({ recipient: false, amount: false });

  const recipientId = recipient?.id ?? null;
  const settledText = useSettledValue(amountText);
  const settled = readGift({ recipientId, amountText: settledText }, available);
  const preview = useGiftPreview('complaint' in settled ? null : settled);
  const wrongAmount = amountComplaint(amountText, available);
  const isPreviewed = settledText === amountText && preview.isFetched;

  return {
    novaBalance,
    recipient,
    setRecipient,
    amountText,
    setAmountText,
    amount: parseNova(amountText),
    /** The gift so far, or what is wrong with it. */
    read: () => readGift({ recipientId, amountText }, available),
    preview,
    hasPreview: !('complaint' in settled),
    recipientError: touched.recipient && recipient === null ? SELECT_RECIPIENT.sentence : undefined,
    amountComplaint: touched.amount ? wrongAmount : null,
    touch: (field: 'recipient' | 'amount') => setTouched((before) => ({ ...before, [field]: true })),
    /** Once both fields are filled, a valid gift must have been previewed before it can be sent. */
    canSend: recipient !== null && amountText !== '' && (wrongAmount !== null || isPreviewed),
  };
}
