import { dueOnBreakingOff } from '@app/domain';
import { minorToNova, novaToMinor, sayAmount } from '@/shared/api';
import { Button, Dialog, StayOpen } from '@/shared/ui';
import type { ChatView } from './chat-types';

export interface TerminateDialogProps {
  chat: ChatView;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  pending: boolean;
  onConfirm: () => void;
}

/** Says exactly what happens to the money before a chat is broken off (rules chats-21, chats-22). */
export function TerminateDialog({ chat, open, onOpenChange, pending, onConfirm }: TerminateDialogProps) {
  const isRequest = chat.status === 'requested';
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={isRequest ? 'Withdraw this request?' : 'Terminate this chat?'}
      footer={
        <>
          <StayOpen while={pending} />
          <Button disabled={pending} onClick={() => onOpenChange(false)}>
            Keep it
          </Button>
          <Button variant="danger" pending={pending} onClick={onConfirm}>
            {isRequest ? 'Withdraw request' : 'Terminate Chat'}
          </Button>
        </>
      }
    >
      <p className="text-sm text-ink-muted">{whatHappens(chat)}</p>
    </Dialog>
  );
}

/** One sentence or two about the money, for the side that ends the chat. */
function whatHappens(chat: ChatView): string {
  if (chat.status === 'requested') return `The ${sayAmount(chat.price)} held for it go back to you at once.`;
  if (chat.side === 'host') {
    return `You earn nothing from this chat: all ${sayAmount(chat.price)} go back to ${chat.initiator.displayName}. It cannot be undone.`;
  }
  const counts = { exchanges: chat.exchangeCount, totalCharacters: chat.totalCharacterCount };
  const due = minorToNova(Number(dueOnBreakingOff(BigInt(novaToMinor(chat.price)), counts)));
  const back = minorToNova(novaToMinor(chat.price) - novaToMinor(due));
  if (due === 0)
    return `No exchange is complete yet, so you get all ${sayAmount(chat.price)} back. It cannot be undone.`;
  return `You pay for what was talked so far: ${sayAmount(due)}. The remaining ${sayAmount(back)} come back to you. It cannot be undone.`;
}
