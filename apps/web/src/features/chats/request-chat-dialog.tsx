import { CHAT_SPLIT, isolated, NOVA_PER_DOLLAR } from '@app/domain';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { usePushOffer } from '@/features/notices/push/use-push';
import {
  addNova,
  errorSentence,
  hasCode,
  isOutcomeUnknown,
  minorToNova,
  novaToMinor,
  sayAmount,
  useCurrentUser,
} from '@/shared/api';
import { useHeldValue } from '@/shared/hooks/use-held-value';
import {
  afterDialogSteps,
  Amount,
  Avatar,
  buttonClasses,
  Dialog,
  ErrorNote,
  errorToast,
  PaidButton,
  toast,
} from '@/shared/ui';
import { useRequestChat } from './use-chat-actions';

export interface ChatHost {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
  /** US dollars. */
  minimumChatPrice: number;
}

export interface RequestChatDialogProps {
  host: ChatHost;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The price of a chat with a host, in Nova (rule chats-2). */
export const chatPriceOf = (minimumChatPrice: number): number =>
  minorToNova(novaToMinor(minimumChatPrice * NOVA_PER_DOLLAR));

/** Requests a chat, after saying how much will be held and who gets what (rule screens-18). */
export function RequestChatDialog({ host, open, onOpenChange }: RequestChatDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Chat with ${isolated(host.displayName)}`}
      description="The payment is held until the chat ends. If the host does not accept within 2 minutes, you get all of it back."
    >
      <RequestForm host={host} onRequested={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RequestForm({ host, onRequested }: { host: ChatHost; onRequested: () => void }) {
  const navigate = useNavigate();
  const { data: user } = useCurrentUser();
  const offer = usePushOffer(user?.id ?? '');
  const [newPrice, setNewPrice] = useState<number | null>(null);
  const price = newPrice ?? chatPriceOf(host.minimumChatPrice);
  const request = useRequestChat({
    onRequested({ chatId, message }) {
      toast({ title: 'Chat requested', description: message, ...(offer && { action: offer }) });
      onRequested();
      afterDialogSteps(() => void navigate(`/chat/${chatId}`));
    },
    onRefused(error) {
      setNewPrice(changedPrice(error) ?? price);
      errorToast('Failed to start chat', error, 'Please try again');
    },
  });
  const isUnknown = isOutcomeUnknown(request.error);
  const balance = useHeldValue(user?.novaBalance ?? 0, request.isPending || isUnknown);
  const isShort = balance < price;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex items-center gap-3 rounded-md bg-sky-700/60 p-3">
        <Avatar name={host.displayName} src={host.profileImageUrl} />
        <bdi className="min-w-0 flex-1 truncate text-left text-sm font-semibold text-ink">{host.displayName}</bdi>
        <Amount value={price} tone="hold" className="text-lg font-semibold" />
      </div>
      <Shares price={price} hostName={host.displayName} />
      <dl className="grid gap-1 text-sm text-ink-muted">
        <Row label="Your balance now" amount={balance} />
        {!isShort && <Row label="After the payment is held" amount={addNova(balance, -price)} />}
      </dl>
      {request.error !== null && !request.isPending && (
        <ErrorNote>
          {errorSentence(request.error, 'Please try again')}
          {isUnknown && (
            <span> We could not confirm your request. You can send it again: you are never charged twice.</span>
          )}
        </ErrorNote>
      )}
      {isShort ? (
        <Link to="/wallet?topup=1" className={buttonClasses({ variant: 'primary', size: 'lg' })}>
          Top Up to chat
        </Link>
      ) : (
        <PaidButton
          variant="primary"
          size="lg"
          pending={request.isPending}
          buys={`chat ${host.id} ${price}`}
          onPay={(press) =>
            request.mutate({
              order: {
                hostId: host.id,
                expectedPrice: price,
                initiatorProfileData: profileDataOf(user ?? {}),
                hostProfileData: profileDataOf(host),
              },
              press,
            })
          }
        >
          {`Request chat for ${sayAmount(price)}`}
        </PaidButton>
      )}
    </div>
  );
}

/** What the member's page shows of somebody. */
const profileDataOf = ({ id, displayName, profileImageUrl }: Partial<Omit<ChatHost, 'minimumChatPrice'>>) => ({
  id,
  displayName,
  profileImageUrl,
});

/** The server's price, if it refused ours with 409. */
function changedPrice(error: unknown): number | undefined {
  if (!hasCode(error, 'PRICE_CHANGED')) return undefined;
  const { body } = error;
  if (typeof body !== 'object' || body === null || !('price' in body)) return undefined;
  return typeof body.price === 'number' ? body.price : undefined;
}

const RECEIVERS = ['', 'Holders of Karma', 'Their threads', 'Nova'] as const;

function Shares({ price, hostName }: { price: number; hostName: string }) {
  const minor = novaToMinor(price);
  return (
    <section aria-label="Who gets what" className="rounded-md border border-line p-3">
      <h3 className="text-xs font-medium text-ink-muted">When the chat succeeds</h3>
      <ul className="mt-2 grid gap-1 text-sm">
        {CHAT_SPLIT.map((percent, index) => (
          <li key={RECEIVERS[index]} className="flex justify-between gap-3">
            <span className="text-ink-muted">
              <bdi>{index === 0 ? hostName : RECEIVERS[index]}</bdi>{' '}
              <span className="text-xs text-ink-faint">{String(percent)}%</span>
            </span>
            <Amount value={minorToNova(Math.floor((minor * Number(percent)) / 100))} bare />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-ink-faint">
        You earn 1 Influence. If the host ends the chat early, you get everything back. If you do, you pay for the part
        of the chat that took place.
      </p>
    </section>
  );
}

function Row({ label, amount }: { label: string; amount: number }) {
  return (
    <div className="flex justify-between gap-3">
      <dt>{label}</dt>
      <dd>
        <Amount value={amount} />
      </dd>
    </div>
  );
}
