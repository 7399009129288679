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
  const [call] = useState(() => new VideoCall({ chatId, myId, otherId, wasLeft: leftCall() === chatId }));
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
    if (frame.chatId === chatId) call.ended(frame.sessionId, frame.endedBy);
  });
  const onChatOver = (frame: { chatId: string }) => {
    if (frame.chatId === chatId) call.chatOver();
  };
  useRealtimeEvent('chat_terminated', onChatOver);
  useRealtimeEvent('chat_ended', onChatOver);
  useRealtimeEvent('error', ({ chatId: about, code, message }) => {
    if (about !== chatId) return;
    if (code === 'VIDEO_NOT_FOUND') call.isGone();
    else call.refused(message);
  });

  const onBack = useEffectEvent(() => call.reconnect());
  useEffect(() => {
    if (status === 'connected') onBack();
  }, [status]);
  useEffect(() => {
    const back = () => onBack();
    forgetLeftCall();
    const leave = () => call.leave('hung-up');
    const leaveDocument = () => {
      if (call.isIn) keepLeftCall(chatId);
      call.leave('left');
    };
    window.addEventListener('online', back);
    window.addEventListener('pagehide', leaveDocument);
    return () => {
      window.removeEventListener('online', back);
      window.removeEventListener('pagehide', leaveDocument);
      leave();
    };
  }, [call, chatId]);
  return call;
}

/* A page that is loaded anew says so, instead of offering a call as if there had been none (rule chats-37). */
const LEFT_CALL = 'nova.leftCall';

const leftCall = () => sessionStorage.getItem(LEFT_CALL);
const keepLeftCall = (chatId: string) => sessionStorage.setItem(LEFT_CALL, chatId);
const forgetLeftCall = () => sessionStorage.removeItem(LEFT_CALL);
