import { useRef, type FormEvent } from 'react';
import { errorSentence, isOutcomeUnknown, sayAmount } from '@/shared/api';
import { Button, Dialog, ErrorNote, errorToast, failureToast, Field, StayOpen, toast } from '@/shared/ui';
import { GiftAmountField } from './gift-amount-field';
import { GiftDistribution } from './gift-distribution';
import { RecipientField } from './recipient-field';
import { useGiftDraft } from './use-gift-draft';
import { useSendGift } from './use-gifts';

export interface SendGiftDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Giving Nova to someone (rule gifts-7). Opening it again starts a new gift. */
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
  // While nobody knows whether the gift was sent, only the very same gift may be tried again.
  const isLocked = send.isPending || isOutcomeUnknown(send.error);
  const draft = useGiftDraft(isLocked);
  const { recipient, preview } = draft;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    draft.touch('amount');
    const gift = draft.read();
    if ('complaint' in gift) {
      failureToast(gift.complaint.title, gift.complaint.sentence);
      return;
    }
    send.mutate(gift, {
      onSuccess({ gift: { amount, recipientShare } }) {
        const to = recipient?.displayName ?? 'them';
        toast({
          title: 'Gift Sent',
          description: `Of your ${sayAmount(amount)}, ${sayAmount(recipientShare)} went to ${to}.`,
        });
        onSent();
      },
      onError: (error) => errorToast('Gift Failed', error, 'The gift could not be sent.'),
    });
  };
  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={submit}>
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
        error={draft.amountError}
        readOnly={isLocked}
        onTextChange={draft.setAmountText}
        onBlur={() => draft.amountText !== '' && draft.touch('amount')}
      />
      {draft.hasPreview && preview.error === null && <GiftDistribution preview={preview.data} />}
      {preview.error !== null && (
        <ErrorNote>{errorSentence(preview.error, 'This gift could not be previewed.')}</ErrorNote>
      )}
      {send.error !== null && !send.isPending && <ErrorNote>{sendFailure(send.error)}</ErrorNote>}
      <Button type="submit" variant="primary" size="lg" pending={send.isPending} disabled={!draft.canSend}>
        {draft.amount === null ? 'Send Nova' : `Send ${sayAmount(draft.amount)}`}
      </Button>
    </form>
  );
}

function sendFailure(error: unknown): string {
  const sentence = errorSentence(error, 'The gift could not be sent.');
  if (!isOutcomeUnknown(error)) return sentence;
  return `${sentence} It is not known whether the gift was sent. Sending it again is safe: it never charges twice.`;
}
