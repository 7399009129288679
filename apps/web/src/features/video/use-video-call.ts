import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { Answer } from '@/shared/api';
import { useRealtime, useRealtimeEvent } from '@/shared/realtime';
import { useCalls } from './calls';
import { VideoCall } from './video-call';

export interface CallParties {
  readonly chatId: string;
  readonly myId: string;
  readonly otherId: string;
}

/** This page's side of a chat's calls; leaving the page hangs up (rule chats-36). */
export function useVideoCall({ chatId, myId, otherId }: CallParties): VideoCall {
  const { send, status } = useRealtime();
  const { data: ice } = useQuery<Answer<'/api/realtime/ice-servers'>>({ queryKey: ['/api/realtime/ice-servers'] });
  const [call] = useState(() => new VideoCall({ chatId, myId, otherId }));
  useEffect(() => call.use({ send, iceServers: ice?.iceServers ?? [] }), [call, send, ice]);
  const { stage } = useSyncExternalStore(call.subscribe, () => call.state);
  const { enter } = useCalls();
  const isIn = stage !== 'ready' && stage !== 'ended';
  useEffect(() => (isIn ? enter(chatId) : undefined), [isIn, enter, chatId]);

  useRealtimeEvent('video_chat_started', (frame) => {
    if (frame.chatId === chatId) call.started(frame.sessionId, frame.startedBy);
  });
  useRealtimeEvent('video_signal', (frame) => {
    if (frame.chatId === chatId) call.signal(frame.sessionId, frame.from, frame.signal);
  });
  useRealtimeEvent('video_declined', (frame) => {
    if (frame.chatId === chatId) call.declined(frame.declinedBy);
  });
  useRealtimeEvent('video_ended', (frame) => {
    if (frame.chatId === chatId) call.ended(frame.sessionId);
  });
  const onChatOver = (frame: { chatId: string }) => {
    if (frame.chatId === chatId) call.ended(null);
  };
  useRealtimeEvent('chat_terminated', onChatOver);
  useRealtimeEvent('chat_ended', onChatOver);
  useRealtimeEvent('error', ({ chatId: about, code, message }) => {
    if (about !== chatId) return;
    if (code === 'VIDEO_NOT_FOUND') call.ended(null);
    else call.refused(message);
  });

  const onBack = useEffectEvent(() => call.reconnect());
  useEffect(() => {
    if (status === 'connected') onBack();
  }, [status]);
  useEffect(() => {
    const back = () => onBack();
    const leave = () => call.leave('hung-up');
    window.addEventListener('online', back);
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('online', back);
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [call]);
  return call;
}
