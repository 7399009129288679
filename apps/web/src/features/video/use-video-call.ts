import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useRealtime, useRealtimeEvent } from '@/shared/realtime';
import { mediaSentence, openMedia, stopMedia, type MediaChoice } from './media';
import { PeerCall, readSignal, type Signal } from './peer-call';

/**
 * `ready`: nothing is going on; `incoming`: the other side is calling; `calling`: I am in, waiting for the other side;
 * `connected`; `ended`.
 */
export type CallStage = 'ready' | 'incoming' | 'calling' | 'connected' | 'ended';

export interface VideoCall {
  stage: CallStage;
  /** Why camera or microphone could not be opened, or the connection failed. */
  problem: string | null;
  local: MediaStream | null;
  remote: MediaStream | null;
  isMuted: boolean;
  isCameraOff: boolean;
  start: () => Promise<void>;
  hangUp: () => void;
  toggleMuted: () => void;
  toggleCamera: () => void;
  choose: (choice: MediaChoice) => Promise<void>;
}

interface Session {
  id: string;
  call: PeerCall;
}

/** A call with the other side of an active chat, signalled over the live connection (`decisions.md`, Chats). */
export function useVideoCall(chatId: string, myId: string): VideoCall {
  const { send } = useRealtime();
  const { data: ice } = useQuery<{ iceServers: RTCIceServer[] }>({ queryKey: ['/api/realtime/ice-servers'] });
  const [stage, setStage] = useState<CallStage>('ready');
  const [problem, setProblem] = useState<string | null>(null);
  const [local, setLocal] = useState<MediaStream | null>(null);
  const [remote, setRemote] = useState<MediaStream | null>(null);
  const [isMuted, setMuted] = useState(false);
  const [isCameraOff, setCameraOff] = useState(false);
  const session = useRef<Session | null>(null);
  const stream = useRef<MediaStream | null>(null);

  const leave = useCallback((next: CallStage) => {
    session.current?.call.close();
    session.current = null;
    stopMedia(stream.current);
    stream.current = null;
    setLocal(null);
    setRemote(null);
    setStage(next);
  }, []);
  useEffect(() => () => leave('ended'), [leave]);

  const show = useCallback(async (choice: MediaChoice): Promise<MediaStream | null> => {
    try {
      const opened = await openMedia(choice);
      stopMedia(stream.current);
      stream.current = opened;
      setLocal(opened);
      setProblem(null);
      return opened;
    } catch (error) {
      setProblem(mediaSentence(error));
      return null;
    }
  }, []);

  const join = (sessionId: string): PeerCall => {
    if (session.current?.id === sessionId) return session.current.call;
    session.current?.call.close();
    const call = new PeerCall({
      iceServers: ice?.iceServers ?? [],
      send: (signal: Signal) => send({ type: 'video_signal', chatId, sessionId, signal }),
      onRemoteStream: setRemote,
      onState(state) {
        if (state === 'connected') setStage('connected');
        if (state === 'failed') setProblem('The connection to the other side was lost. Hang up and call again.');
      },
    });
    session.current = { id: sessionId, call };
    return call;
  };

  useRealtimeEvent('video_chat_started', ({ chatId: of, sessionId, startedBy }) => {
    if (of !== chatId) return;
    const mine = stream.current;
    if (mine === null) {
      if (startedBy !== myId) setStage('incoming');
      return;
    }
    const call = join(sessionId);
    call.polite = startedBy !== myId;
    void call.show(mine).then(() => (startedBy === myId ? call.offer() : undefined));
  });
  useRealtimeEvent('video_signal', ({ chatId: of, sessionId, from, signal }) => {
    if (of !== chatId || from === myId || session.current?.id !== sessionId) return;
    const read = readSignal(signal);
    if (read === undefined) return;
    session.current.call.receive(read).catch(() => setProblem('The call could not be set up. Hang up and call again.'));
  });
  const overFor = ({ chatId: of }: { chatId: string }) => {
    if (of === chatId) leave('ended');
  };
  useRealtimeEvent('video_ended', overFor);
  useRealtimeEvent('chat_terminated', overFor);
  useRealtimeEvent('chat_ended', overFor);

  return {
    stage,
    problem,
    local,
    remote,
    isMuted,
    isCameraOff,
    async start() {
      const opened = await show({});
      if (opened === null) return;
      setMuted(false);
      setCameraOff(false);
      setStage('calling');
      if (!send({ type: 'video_start', chatId })) setProblem('Not connected. Try again in a moment.');
    },
    hangUp() {
      const id = session.current?.id;
      if (id !== undefined) send({ type: 'video_end', chatId, sessionId: id });
      leave('ended');
    },
    toggleMuted() {
      for (const track of stream.current?.getAudioTracks() ?? []) track.enabled = isMuted;
      setMuted(!isMuted);
    },
    toggleCamera() {
      for (const track of stream.current?.getVideoTracks() ?? []) track.enabled = isCameraOff;
      setCameraOff(!isCameraOff);
    },
    async choose(choice) {
      const opened = await show(choice);
      if (opened === null) return;
      for (const track of opened.getAudioTracks()) track.enabled = !isMuted;
      for (const track of opened.getVideoTracks()) track.enabled = !isCameraOff;
      await session.current?.call.show(opened);
    },
  };
}
