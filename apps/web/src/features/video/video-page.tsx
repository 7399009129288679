import { VideoOff } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { useMyChats } from '@/features/status';
import { errorSentence, useCurrentUser } from '@/shared/api';
import { buttonClasses, Card, EmptyState, ErrorNote, PageHeader, Skeleton } from '@/shared/ui';
import { CallScreen } from './call-screen';

/** `/video-chat/{userId}`: only within an active chat with that member (rule chats-20). */
export function VideoPage() {
  const { userId } = useParams();
  const { data: user } = useCurrentUser();
  const query = useMyChats();
  const { data: chats } = query;
  const chat = chats?.find(({ otherUser, status }) => otherUser.id === userId && status === 'active');
  if (chats === undefined || user === undefined || user === null) {
    return (
      <>
        <PageHeader title="Video Chat" backTo="/" />
        {query.isError ? (
          <ErrorNote onRetry={() => void query.refetch()} retrying={query.isFetching}>
            {errorSentence(query.error, 'Your chats could not be loaded.')}
          </ErrorNote>
        ) : (
          <Skeleton className="h-[60dvh] w-full rounded-lg" />
        )}
      </>
    );
  }
  if (chat === undefined) return <NoActiveChat />;
  return (
    <>
      <PageHeader
        title={`Video chat with ${chat.otherUser.displayName}`}
        backTo={`/chat/${chat.id}`}
        backLabel="Back to the chat"
      />
      <CallScreen key={chat.id} chatId={chat.id} myId={user.id} other={chat.otherUser} />
    </>
  );
}

function NoActiveChat() {
  return (
    <>
      <PageHeader title="Video Chat" backTo="/" />
      <Card>
        <EmptyState
          icon={VideoOff}
          title="No active chat with this member"
          text="Video is part of a paid chat. Request one, and call once it is accepted. The call itself is free."
          action={
            <Link to="/" className={buttonClasses({ variant: 'primary' })}>
              Request a chat
            </Link>
          }
        />
      </Card>
    </>
  );
}
