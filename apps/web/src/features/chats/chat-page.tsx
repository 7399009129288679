import { isolated } from '@app/domain';
import { ArrowLeft, MessageCircleOff } from 'lucide-react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { buttonClasses, PageHeader, PageNotice, Skeleton, useDocumentTitle } from '@/shared/ui';
import type { ChatFrame } from './chat-header';
import { ChatNotLoaded } from './chat-not-loaded';
import { otherIn } from './chat-sides';
import type { ChatView } from './chat-types';
import { OpenChat } from './open-chat';
import { useChat } from './use-chat';

/** `/chat/{id}` and `/chats/{id}` (rule chats-29). The page takes the whole screen. */
export function ChatPage() {
  const { chatId = '' } = useParams();
  const chat = useChat(chatId);
  if (chat.isPending) return <LoadingChat />;
  if (chat.data === null) return <ChatNotFound />;
  if (chat.data === undefined) {
    return (
      <div className="p-4">
        <PageHeader title="Chat" backTo="/" />
        <ChatNotLoaded query={chat} />
      </div>
    );
  }
  return <LoadedChat key={chatId} chat={chat.data} isFresh={chat.isFetchedAfterMount} />;
}

const FRAME: ChatFrame = {
  before: (
    <Link
      to="/"
      aria-label="Back to discovery"
      className={buttonClasses({ variant: 'ghost', size: 'icon', className: '-mr-1' })}
    >
      <ArrowLeft aria-hidden="true" className="size-5" />
    </Link>
  ),
  title: (name) => (
    <h1>
      <span className="sr-only">Chat with </span>
      {name}
    </h1>
  ),
};

function LoadedChat({ chat, isFresh }: { chat: ChatView; isFresh: boolean }) {
  const navigate = useNavigate();
  useDocumentTitle(`Chat with ${isolated(otherIn(chat).displayName)}`);
  return <OpenChat chat={chat} frame={FRAME} isFresh={isFresh} onDone={() => void navigate('/')} />;
}

/** The chat does not exist, or this member may not see it (rule chats-19). */
function ChatNotFound() {
  return (
    <div className="overflow-y-auto p-4">
      <PageNotice
        icon={MessageCircleOff}
        title="Chat not found"
        text="This chat may have been deleted or you don't have access to it."
        action={
          <Link to="/" className={buttonClasses({ variant: 'primary' })}>
            Back to Feed
          </Link>
        }
      />
    </div>
  );
}

function LoadingChat() {
  useDocumentTitle('Chat');
  return (
    <div aria-busy="true" className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-14 items-center gap-2 border-b border-line px-2">
        {FRAME.before}
        <h1 className="sr-only">Chat</h1>
        <Skeleton className="size-10 rounded-full" />
        <Skeleton className="h-5 w-40" />
      </div>
      <div className="grid flex-1 grid-cols-2">
        <div className="border-r border-line bg-sky-800/60" />
        <div className="bg-nova/4" />
      </div>
      <div className="border-t border-line p-2">
        <Skeleton className="h-12 w-full rounded-lg" />
      </div>
    </div>
  );
}
