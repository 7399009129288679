import { useQueryClient } from '@tanstack/react-query';
import { MessageCircleOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { errorSentence } from '@/shared/api';
import { useRealtimeEvent } from '@/shared/realtime';
import { buttonClasses, Card, EmptyState, ErrorNote, PageHeader, Skeleton, toast, useDocumentTitle } from '@/shared/ui';
import { ChatScreen } from './chat-screen';
import type { ChatView } from './chat-types';
import { RatingFlow } from './rating-flow';
import { refreshAroundChats, useChat } from './use-chat';

/** S1 §9: so long after the other side terminated, the page leaves. */
const LEAVE_AFTER_TERMINATION_MS = 2_000;

/** `/chat/{id}` and `/chats/{id}` (S0 §2 Chat screen, S1 §2.2). */
export function ChatPage() {
  const { chatId = '' } = useParams();
  const chat = useChat(chatId);
  if (chat.isPending) return <LoadingChat />;
  if (chat.data === null) return <ChatNotFound />;
  if (chat.data === undefined) {
    return (
      <>
        <PageHeader title="Chat" backTo="/" />
        <ErrorNote onRetry={() => void chat.refetch()} retrying={chat.isFetching}>
          {errorSentence(chat.error, 'This chat could not be loaded.')}
        </ErrorNote>
      </>
    );
  }
  return <OpenChat key={chatId} chat={chat.data} />;
}

function OpenChat({ chat }: { chat: ChatView }) {
  const leaving = useRef(false);
  useLeaveWhenTerminated(chat, leaving);
  const [isRatingPutOff, setRatingPutOff] = useState(false);
  const mustRate = chat.status === 'successful' && chat.myRating === null;
  return (
    <>
      <PageHeader title="Chat" backTo="/" backLabel="Back to discovery" />
      <ChatScreen
        chat={chat}
        onLeaving={() => {
          leaving.current = true;
        }}
        onRate={() => setRatingPutOff(false)}
      />
      <RatingFlow chat={chat} open={mustRate && !isRatingPutOff} onPutOff={() => setRatingPutOff(true)} />
    </>
  );
}

/** S1 §4 Chat: when the other party terminates, a toast, and after two seconds the feed. */
function useLeaveWhenTerminated(chat: ChatView, leaving: { readonly current: boolean }): void {
  const navigate = useNavigate();
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useRealtimeEvent('chat_terminated', ({ chatId, terminatedBy }) => {
    if (chatId !== chat.id || leaving.current || timer.current !== undefined) return;
    void refreshAroundChats(client);
    const mine = chat.side === 'host' ? chat.hostId : chat.initiatorId;
    if (terminatedBy === mine || terminatedBy === chat.side) return;
    const other = chat.side === 'host' ? chat.initiator : chat.host;
    toast({
      title: 'Chat Terminated',
      description: `${other.displayName} ended this chat.`,
      variant: 'destructive',
    });
    timer.current = setTimeout(() => void navigate('/feed'), LEAVE_AFTER_TERMINATION_MS);
  });
}

/** S1 §2.2. */
function ChatNotFound() {
  useDocumentTitle('Chat not found');
  return (
    <Card className="mx-auto w-full max-w-md">
      <EmptyState
        level="h1"
        icon={MessageCircleOff}
        title="Chat not found"
        text="This chat may have been deleted or you don't have access to it."
        action={
          <Link to="/" className={buttonClasses({ variant: 'primary' })}>
            Back to Feed
          </Link>
        }
      />
    </Card>
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
