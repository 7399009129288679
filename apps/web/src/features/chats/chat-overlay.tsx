import { Maximize2, MessageCircleOff, X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { Link } from 'react-router-dom';
import { buttonClasses, EmptyState, Skeleton, useBackButtonCloses, useDialogContent } from '@/shared/ui';
import { ChatNotLoaded } from './chat-not-loaded';
import { OpenChat } from './open-chat';
import { useChat } from './use-chat';

export interface ChatOverlayProps {
  chatId: string;
  /** The name of the other side. */
  name: string;
  onClose: () => void;
}

/** The same chat in a sidebar beside the cards, over the same connection (rule chats-31). */
export function ChatOverlay({ chatId, name, onClose }: ChatOverlayProps) {
  useBackButtonCloses(true, onClose);
  const content = useDialogContent();
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...content}
          className="fixed inset-y-0 right-0 z-40 flex w-full max-w-lg animate-appear flex-col border-l border-line bg-sky-950 shadow-raised"
        >
          <header className="flex items-center justify-between gap-2 border-b border-line p-3 pl-4">
            <RadixDialog.Title className="truncate text-base font-semibold text-ink">
              Chat with {name}
            </RadixDialog.Title>
            <div className="flex gap-1">
              <Link
                to={`/chat/${chatId}`}
                aria-label="Open on its own page"
                className={buttonClasses({ variant: 'ghost', size: 'icon' })}
              >
                <Maximize2 aria-hidden="true" className="size-4" />
              </Link>
              <RadixDialog.Close aria-label="Close" className={buttonClasses({ variant: 'ghost', size: 'icon' })}>
                <X aria-hidden="true" className="size-5" />
              </RadixDialog.Close>
            </div>
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto p-3">
            <OverlaidChat chatId={chatId} onDone={onClose} />
          </div>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function OverlaidChat({ chatId, onDone }: { chatId: string; onDone: () => void }) {
  const chat = useChat(chatId);
  if (chat.isPending) return <Skeleton className="h-72 rounded-lg" />;
  if (chat.data === undefined) return <ChatNotLoaded query={chat} />;
  if (chat.data === null) {
    return (
      <EmptyState
        icon={MessageCircleOff}
        title="Chat not found"
        text="This chat may have been deleted or you don't have access to it."
      />
    );
  }
  return <OpenChat chat={chat.data} isFresh={chat.isFetchedAfterMount} onDone={onDone} />;
}
