import { MessageCircleOff } from 'lucide-react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { buttonClasses, PageHeader, PageNotice, Skeleton } from '@/shared/ui';
import { ChatNotLoaded } from './chat-not-loaded';
import { OpenChat } from './open-chat';
import { useChat } from './use-chat';

/** `/chat/{id}` and `/chats/{id}` (rule chats-29). */
export function ChatPage() {
  const { chatId = '' } = useParams();
  const navigate = useNavigate();
  const chat = useChat(chatId);
  if (chat.isPending) return <LoadingChat />;
  if (chat.data === null) return <ChatNotFound />;
  if (chat.data === undefined) {
    return (
      <>
        <PageHeader title="Chat" backTo="/" />
        <ChatNotLoaded query={chat} />
      </>
    );
  }
  return (
    <>
      <PageHeader title="Chat" backTo="/" backLabel="Back to discovery" />
      {/* On a phone, everything above and below the stage leaves this height, so that the member can write without
          scrolling. */}
      <div className="[--stage-height:calc(100dvh-36.5rem)]">
        <OpenChat key={chatId} chat={chat.data} isFresh={chat.isFetchedAfterMount} onDone={() => void navigate('/')} />
      </div>
    </>
  );
}

/** The chat does not exist, or this member may not see it (rule chats-19). */
function ChatNotFound() {
  return (
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
  );
}

function LoadingChat() {
  return (
    <>
      <PageHeader title="Chat" backTo="/" backLabel="Back to discovery" />
      <div aria-busy="true" className="grid gap-3">
        <Skeleton className="h-16 w-full rounded-lg" />
        <div className="grid grid-cols-2 gap-3">
          <Skeleton className="h-[46dvh] w-full rounded-lg" />
          <Skeleton className="h-[46dvh] w-full rounded-lg" />
        </div>
        <Skeleton className="h-12 w-full rounded-lg" />
      </div>
    </>
  );
}
