import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { currentUserQuery, parseNova, type Schemas } from '@/shared/api';
import { useHeldValue } from '@/shared/hooks/use-held-value';
import { useSettledValue } from '@/shared/hooks/use-settled-value';
import { amountComplaint, readGift, SELECT_RECIPIENT } from './gift-rules';
import { useGiftPreview } from './use-gifts';

/**
 * A gift that is being put together: who, how much, what is wrong with it, and what it would do to everyone.
 * @param isOnItsWay it was sent, and nobody knows yet what became of it
 */
export function useGiftDraft(isOnItsWay: boolean) {
  // Nova may have come or gone since this page was opened: the balance is read again for every gift.
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
    /** The gift as it stands, or what is wrong with it. */
    read: () => readGift({ recipientId, amountText }, available),
    preview,
    hasPreview: !('complaint' in settled),
    recipientError: touched.recipient && recipient === null ? SELECT_RECIPIENT.sentence : undefined,
    amountError: touched.amount ? wrongAmount?.sentence : undefined,
    touch: (field: 'recipient' | 'amount') => setTouched((before) => ({ ...before, [field]: true })),
    /** With both filled in, a valid gift must have been previewed before it can be sent. */
    canSend: recipient !== null && amountText !== '' && (wrongAmount !== null || isPreviewed),
  };
}
