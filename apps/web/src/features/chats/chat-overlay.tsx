import { Maximize2, MessageCircleOff, X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { Link } from 'react-router-dom';
import { useVisibleHeight } from '@/shared/hooks/whole-screen';
import { buttonClasses, EmptyState, Skeleton, useBackButtonCloses, useDialogContent } from '@/shared/ui';
import type { ChatFrame } from './chat-header';
import { ChatNotLoaded } from './chat-not-loaded';
import { OpenChat } from './open-chat';
import { useChat } from './use-chat';

export interface ChatOverlayProps {
  chatId: string;
  /** The name of the other side. */
  name: string;
  onClose: () => void;
}

const overlayTitle: ChatFrame['title'] = (shown) => (
  <RadixDialog.Title>
    <span className="sr-only">Chat with </span>
    {shown}
  </RadixDialog.Title>
);

/** The same chat in a sidebar beside the cards, over the same connection (rule chats-31). */
export function ChatOverlay({ chatId, name, onClose }: ChatOverlayProps) {
  useBackButtonCloses(true, onClose);
  useVisibleHeight(true);
  const content = useDialogContent();
  const frame: ChatFrame = {
    title: overlayTitle,
    after: (
      <>
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
      </>
    ),
  };
  return (
    <RadixDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...content}
          className="fixed top-(--visible-top,0px) right-0 z-40 flex h-(--visible-height,100dvh) w-full max-w-lg animate-appear flex-col border-l border-line bg-sky-950 shadow-raised"
        >
          <OverlaidChat chatId={chatId} name={name} frame={frame} onDone={onClose} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface OverlaidChatProps {
  chatId: string;
  name: string;
  frame: ChatFrame;
  onDone: () => void;
}

function OverlaidChat({ chatId, name, frame, onDone }: OverlaidChatProps) {
  const chat = useChat(chatId);
  if (chat.data) return <OpenChat chat={chat.data} frame={frame} isFresh={chat.isFetchedAfterMount} onDone={onDone} />;
  return (
    <>
      <header className="flex min-h-14 items-center justify-between gap-2 border-b border-line px-2 pl-4">
        {frame.title(<bdi className="block truncate text-left text-base font-semibold text-ink">{name}</bdi>)}
        <div className="flex">{frame.after}</div>
      </header>
      <div className="overflow-y-auto p-3">
        {chat.isPending && <Skeleton className="h-72 rounded-lg" />}
        {chat.data === null && (
          <EmptyState
            icon={MessageCircleOff}
            title="Chat not found"
            text="This chat may have been deleted or you don't have access to it."
          />
        )}
        {chat.isError && chat.data === undefined && <ChatNotLoaded query={chat} />}
      </div>
    </>
  );
}
