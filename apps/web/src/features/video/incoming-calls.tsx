import { isolated } from '@app/domain';
import { Phone, PhoneOff } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { useCurrentUser } from '@/shared/api';
import { serverNowMs } from '@/shared/api/server-clock';
import { useRealtime, useRealtimeEvent } from '@/shared/realtime';
import { playSound, useSounds } from '@/shared/sounds';
import { afterDialogSteps, Avatar, toast } from '@/shared/ui';
import { CallsContextProvider, type Ring } from './calls';

/**
 * Rings on every page of a member until they answer, decline, or the call ends, on this page or another (rule
 * chats-36).
 */
export function IncomingCalls({ children }: { children: ReactNode }) {
  const { data: user } = useCurrentUser();
  const [rings, setRings] = useState<readonly Ring[]>([]);
  const entered = useRef<string>(undefined);
  const stop = useCallback((chatId: string) => setRings((known) => known.filter((ring) => ring.chatId !== chatId)), []);
  const enter = useCallback(
    (chatId: string) => {
      entered.current = chatId;
      stop(chatId);
      return () => {
        if (entered.current === chatId) entered.current = undefined;
      };
    },
    [stop],
  );
  const calls = useMemo(() => ({ rings, enter }), [rings, enter]);
  const navigate = useNavigate();
  const missed = ({ chatId, starter }: Ring) =>
    toast({
      title: 'Missed call',
      description: `${isolated(starter.displayName)} called you.`,
      action: { label: 'Open the chat', onClick: () => void navigate(`/chat/${chatId}`) },
    });
  const end = ({ chatId }: { chatId: string }) => {
    const ring = rings.find((each) => each.chatId === chatId);
    if (ring !== undefined) missed(ring);
    stop(chatId);
  };

  useRealtimeEvent('video_chat_started', (call) => {
    stop(call.chatId);
    if (call.startedBy === user?.id || call.chatId === entered.current) return;
    setRings((known) => [...known.filter(({ chatId }) => chatId !== call.chatId), call]);
  });
  useRealtimeEvent('video_declined', ({ chatId }) => stop(chatId));
  useRealtimeEvent('video_ended', end);
  useRealtimeEvent('chat_terminated', end);
  useRealtimeEvent('chat_ended', end);

  const [ring] = rings;
  return (
    <CallsContextProvider value={calls}>
      {children}
      {ring !== undefined && (
        <RingingCall
          key={ring.sessionId}
          ring={ring}
          onAnswered={() => stop(ring.chatId)}
          onTimeOver={() => end(ring)}
        />
      )}
    </CallsContextProvider>
  );
}

const RING_EVERY_MS = 3_000;
const VIBRATION_MS = [400, 200, 400];

interface RingingCallProps {
  ring: Ring;
  onAnswered: () => void;
  onTimeOver: () => void;
}

/** Above everything, and taking no focus: whoever is typing must not answer by mistake. */
function RingingCall({ ring, onAnswered, onTimeOver }: RingingCallProps) {
  const { chatId, sessionId, starter, ringsUntil } = ring;
  const navigate = useNavigate();
  const { send } = useRealtime();
  const over = useEffectEvent(onTimeOver);
  useEffect(() => {
    const timer = setTimeout(() => over(), Math.max(0, Date.parse(ringsUntil) - serverNowMs()));
    return () => clearTimeout(timer);
  }, [ringsUntil]);
  useRinging();
  const answer = () => {
    onAnswered();
    afterDialogSteps(() => void navigate(`/video-chat/${starter.id}`, { state: { joins: sessionId } }));
  };
  const decline = () => {
    send({ type: 'video_decline', chatId, sessionId });
    onAnswered();
  };
  const round = 'grid size-14 shrink-0 place-items-center rounded-full transition-colors';
  return createPortal(
    <section
      aria-live="assertive"
      aria-label="Incoming call"
      data-above-dialogs
      className="pointer-events-auto fixed inset-x-3 top-[max(0.75rem,env(safe-area-inset-top))] z-50 mx-auto flex max-w-md animate-rise items-center gap-3 rounded-lg border border-nova/50 bg-sky-800 p-3 shadow-raised sm:right-6 sm:left-auto sm:w-md"
    >
      <Avatar name={starter.displayName} src={starter.profileImageUrl} size="lg" className="motion-safe:animate-ring" />
      <p className="min-w-0 flex-1 text-sm text-ink-muted">
        <bdi className="block truncate text-left text-base font-semibold text-ink">{starter.displayName}</bdi>
        <span>is calling you.</span>
      </p>
      <button
        type="button"
        aria-label="Decline the call"
        title="Decline"
        className={`${round} bg-danger text-ink hover:bg-danger-bright`}
        onClick={decline}
      >
        <PhoneOff aria-hidden="true" className="size-6" />
      </button>
      <button
        type="button"
        aria-label="Accept the call"
        title="Accept"
        className={`${round} bg-nova text-on-nova hover:bg-nova-bright`}
        onClick={answer}
      >
        <Phone aria-hidden="true" className="size-6" />
      </button>
    </section>,
    document.body,
  );
}

/** Sound and vibration while the component is mounted. */
function useRinging(): void {
  const [hasSounds] = useSounds();
  useEffect(() => {
    const ring = () => {
      if (hasSounds) playSound('ring');
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
    };
    ring();
    const timer = setInterval(ring, RING_EVERY_MS);
    return () => clearInterval(timer);
  }, [hasSounds]);
}
