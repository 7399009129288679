import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useIncomingCall } from '@/features/chats';
import type { Answer } from '@/shared/api';
import { useRealtime, useRealtimeEvent } from '@/shared/realtime';
import { type MediaChoice, mediaSentence, openMedia, stopMedia } from './media';
import { PeerCall, readSignal, type Signal } from './peer-call';

/**
 * `ready`: nothing is going on; `incoming`: the other side is calling; `calling`: the member waits for the other side;
 * `connected`; `ended`.
 */
export type CallStage = 'ready' | 'incoming' | 'calling' | 'connected' | 'ended';

export interface VideoCall {
  stage: CallStage;
  /** Why the camera or microphone could not be opened, or the connection failed. */
  problem: string | null;
  media: LocalMedia;
  remote: MediaStream | null;
  start: () => Promise<void>;
  hangUp: () => void;
  choose: (choice: MediaChoice) => Promise<void>;
}

interface Session {
  id: string;
  call: PeerCall;
}

const LOST = 'The connection to the other side was lost. Hang up and call again.';
const OFFLINE = 'Not connected. Try again in a moment.';

/** A call with the other side of an active chat, signalled over the live connection (rule chats-20). */
export function useVideoCall(chatId: string, myId: string): VideoCall {
  const { send } = useRealtime();
  const { data: ice } = useQuery<Answer<'/api/realtime/ice-servers'>>({
    queryKey: ['/api/realtime/ice-servers'],
  });
  const media = useLocalMedia();
  const [stage, setStage] = useState<Exclude<CallStage, 'incoming'>>('ready');
  const isIn = stage === 'calling' || stage === 'connected';
  const incoming = useIncomingCall({ chatId, myId, isIn });
  const [problem, setProblem] = useState<string | null>(null);
  const [remote, setRemote] = useState<MediaStream | null>(null);
  const session = useSession(chatId);

  const end = () => {
    session.close();
    media.close();
    setRemote(null);
    setStage('ended');
  };
  const join = (sessionId: string): PeerCall => {
    const known = session.current();
    if (known?.id === sessionId) return known.call;
    const call = new PeerCall({
      iceServers: ice?.iceServers ?? [],
      send: (signal: Signal) => send({ type: 'video_signal', chatId, sessionId, signal }),
      onRemoteStream: setRemote,
      onState(state) {
        if (state === 'connected') setStage(state);
        if (state === 'failed') setProblem(LOST);
      },
    });
    session.begin({ id: sessionId, call });
    return call;
  };
  useCallEvents(chatId, {
    onStarted(sessionId, startedBy) {
      const mine = media.current();
      if (mine === null) return;
      join(sessionId)
        .begin(mine, startedBy === myId ? 'me' : 'them')
        .catch(() => setProblem(LOST));
    },
    onSignal(sessionId, from, signal) {
      const read = readSignal(signal);
      const known = session.current();
      if (from === myId || known?.id !== sessionId || read === undefined) return;
      known.call.receive(read).catch(() => setProblem(LOST));
    },
    onEnded: end,
  });
  return {
    stage: incoming.isCalling && !isIn ? 'incoming' : stage,
    problem: media.problem ?? problem,
    media,
    remote,
    async start() {
      if ((await media.open({})) === null) return;
      setStage('calling');
      setProblem(send({ type: 'video_start', chatId }) ? null : OFFLINE);
    },
    hangUp() {
      incoming.decline();
      session.leave();
      end();
    },
    async choose(choice) {
      const opened = await media.open(choice);
      if (opened !== null) await session.current()?.call.show(opened);
    },
  };
}

/** The current call, and its end on this side; leaving the page hangs up. */
function useSession(chatId: string) {
  const { send } = useRealtime();
  const held = useRef<Session | null>(null);
  const close = () => {
    held.current?.call.close();
    held.current = null;
  };
  const leave = () => {
    if (held.current !== null) send({ type: 'video_end', chatId, sessionId: held.current.id });
    close();
  };
  const leavePage = useEffectEvent(leave);
  useEffect(() => {
    const onPageHide = () => leavePage();
    window.addEventListener('pagehide', onPageHide);
    return () => {
      window.removeEventListener('pagehide', onPageHide);
      leavePage();
    };
  }, []);
  return {
    current: () => held.current,
    /** Replaces an earlier session. */
    begin(next: Session) {
      close();
      held.current = next;
    },
    close,
    leave,
  };
}

interface CallEvents {
  onStarted: (sessionId: string, startedBy: string) => void;
  onSignal: (sessionId: string, from: string, signal: unknown) => void;
  onEnded: () => void;
}

/** Calls in one chat, as reported by the live connection; the end of the chat ends the call. */
function useCallEvents(chatId: string, { onStarted, onSignal, onEnded }: CallEvents): void {
  const endedIn = (frame: { chatId: string }) => {
    if (frame.chatId === chatId) onEnded();
  };
  useRealtimeEvent('video_chat_started', (frame) => {
    if (frame.chatId === chatId) onStarted(frame.sessionId, frame.startedBy);
  });
  useRealtimeEvent('video_signal', (frame) => {
    if (frame.chatId === chatId) onSignal(frame.sessionId, frame.from, frame.signal);
  });
  useRealtimeEvent('video_ended', endedIn);
  useRealtimeEvent('chat_terminated', endedIn);
  useRealtimeEvent('chat_ended', endedIn);
}

interface LocalMedia {
  stream: MediaStream | null;
  /** The current stream, for what happens between two renders. */
  current: () => MediaStream | null;
  /** Why the stream could not be opened. */
  problem: string | null;
  isMuted: boolean;
  isCameraOff: boolean;
  /** Null if it could not be opened, or was closed or opened again meanwhile. */
  open: (choice: MediaChoice) => Promise<MediaStream | null>;
  close: () => void;
  toggleMuted: () => void;
  toggleCamera: () => void;
}

/** The member's camera and microphone; both are released when the member leaves the page. */
function useLocalMedia(): LocalMedia {
  const held = useRef<MediaStream | null>(null);
  /** Counts each opening and closing: a stream that opens under an earlier number comes too late. */
  const latest = useRef(0);
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isMuted, setMuted] = useState(false);
  const [isCameraOff, setCameraOff] = useState(false);
  const close = useCallback(() => {
    latest.current += 1;
    stopMedia(held.current);
    held.current = null;
    setStream(null);
  }, []);
  useEffect(() => close, [close]);
  const turn = (tracks: MediaStreamTrack[] | undefined, isOn: boolean) => {
    for (const track of tracks ?? []) track.enabled = isOn;
  };
  return {
    stream,
    current: () => held.current,
    problem,
    isMuted,
    isCameraOff,
    close,
    async open(choice) {
      const opening = (latest.current += 1);
      try {
        const opened = await openMedia(choice);
        if (opening !== latest.current) {
          stopMedia(opened);
          return null;
        }
        stopMedia(held.current);
        turn(opened.getAudioTracks(), !isMuted);
        turn(opened.getVideoTracks(), !isCameraOff);
        held.current = opened;
        setStream(opened);
        setProblem(null);
        return opened;
      } catch (error) {
        if (opening === latest.current) setProblem(mediaSentence(error));
        return null;
      }
    },
    toggleMuted() {
      turn(held.current?.getAudioTracks(), isMuted);
      setMuted(!isMuted);
    },
    toggleCamera() {
      turn(held.current?.getVideoTracks(), isCameraOff);
      setCameraOff(!isCameraOff);
    },
  };
}
