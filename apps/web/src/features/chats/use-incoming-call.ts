import { useState } from 'react';
import { useRealtime, useRealtimeEvent } from '@/shared/realtime';

export interface IncomingCallOptions {
  readonly chatId: string;
  readonly myId: string;
  /** Whether this page is in the call. */
  readonly isIn?: boolean;
}

/**
 * Whether the other side of a chat is calling and the member has neither joined nor declined, on this page or another.
 */
export function useIncomingCall({ chatId, myId, isIn = false }: IncomingCallOptions) {
  const { send } = useRealtime();
  const [sessionId, setSessionId] = useState<string | null>(null);
  useRealtimeEvent('video_chat_started', (call) => {
    if (call.chatId === chatId) setSessionId(isIn || call.startedBy === myId ? null : call.sessionId);
  });
  const over = (frame: { chatId: string }) => {
    if (frame.chatId === chatId) setSessionId(null);
  };
  useRealtimeEvent('video_declined', over);
  useRealtimeEvent('video_ended', over);
  useRealtimeEvent('chat_terminated', over);
  useRealtimeEvent('chat_ended', over);
  return {
    isCalling: sessionId !== null,
    decline: () => {
      if (sessionId !== null) send({ type: 'video_decline', chatId, sessionId });
      setSessionId(null);
    },
  };
}
