import { useState } from 'react';
import { ChatScreen } from './chat-screen';
import type { ChatView } from './chat-types';
import { RatingFlow } from './rating-flow';
import { useChatNews } from './use-chat-news';

export interface OpenChatProps {
  chat: ChatView;
  /** It was asked for since it is on the screen. */
  isFresh: boolean;
  /** The member is done with this chat. */
  onDone: () => void;
}

/** A chat and what belongs to it while it is open, on its page and beside its card alike: being left, being rated. */
export function OpenChat({ chat, isFresh, onDone }: OpenChatProps) {
  useChatNews(chat, isFresh);
  const [isRatingPutOff, setRatingPutOff] = useState(false);
  const mustRate = chat.status === 'successful' && chat.myRating === null;
  return (
    <>
      <ChatScreen chat={chat} onRate={() => setRatingPutOff(false)} onDone={onDone} />
      <RatingFlow
        chat={chat}
        open={mustRate && !isRatingPutOff}
        onPutOff={() => setRatingPutOff(true)}
        onDone={onDone}
      />
    </>
  );
}
