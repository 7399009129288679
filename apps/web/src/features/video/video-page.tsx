import { isolated } from '@app/domain';
import { clsx } from 'clsx';
import {
  ArrowLeft,
  Camera,
  CameraOff,
  type LucideIcon,
  Mic,
  MicOff,
  Phone,
  PhoneOff,
  Settings2,
  Video,
  VideoOff,
} from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { type ChatParty, minutesAndSeconds, useSecondsSince } from '@/features/chats';
import { useMyChats } from '@/features/status';
import { errorSentence, useCurrentUser } from '@/shared/api';
import {
  Avatar,
  Button,
  buttonClasses,
  Card,
  EmptyState,
  ErrorNote,
  Field,
  PageHeader,
  Select,
  Spinner,
  useDocumentTitle,
} from '@/shared/ui';
import { useCalls } from './calls';
import { liveTracks, type MediaKind } from './media';
import { useVideoCall } from './use-video-call';
import type { CallEnd, CallState, VideoCall } from './video-call';

/** `/video-chat/{userId}`: only within an active chat with that member (rule chats-20). */
export function VideoPage() {
  const { userId } = useParams();
  const { data: user } = useCurrentUser();
  const query = useMyChats();
  const { data: chats } = query;
  // A call that has begun stays on the screen when its chat ends.
  const chat = useFirst(chats?.find(({ otherUser, status }) => otherUser.id === userId && status === 'active'));
  if (chat !== undefined && user) {
    return <CallScreen key={chat.id} chatId={chat.id} myId={user.id} other={chat.otherUser} />;
  }
  return (
    <div className="overflow-y-auto p-4 sm:p-6">
      <PageHeader title="Video Chat" backTo="/" />
      {chats !== undefined && <NoActiveChat />}
      {chats === undefined && query.isError && (
        <ErrorNote onRetry={() => void query.refetch()} retrying={query.isFetching}>
          {errorSentence(query.error, 'Your chats could not be loaded.')}
        </ErrorNote>
      )}
      {chats === undefined && !query.isError && (
        <div className="grid min-h-[50dvh] place-items-center text-ink-muted">
          <Spinner className="size-6" label="Loading…" />
        </div>
      )}
    </div>
  );
}

/** The first value that was there. */
function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  return first;
}

function NoActiveChat() {
  return (
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
  );
}

/** What the stage says. */
function sentenceOf({ stage, end, theirs }: CallState, who: string): string {
  switch (stage) {
    case 'ready':
      return 'Your camera and microphone start when you call. The call is free.';
    case 'calling':
      return `Calling ${who}…`;
    case 'joining':
      return 'Connecting…';
    case 'connected':
      return theirs.camera ? `Connected with ${who}.` : `${who}'s camera is off.`;
    case 'reconnecting':
      return 'Reconnecting…';
    case 'ended':
      return end === null ? '' : ENDS[end](who);
  }
}

const ENDS: Record<CallEnd, (who: string) => string> = {
  'hung-up': () => 'You ended the call.',
  left: () => 'You left the call.',
  elsewhere: () => 'You ended the call on another of your pages.',
  'other-hung-up': (who) => `${who} ended the call.`,
  declined: (who) => `${who} cannot talk now.`,
  unanswered: (who) => `${who} did not answer.`,
  lost: () => 'The connection was lost.',
  moved: () => 'The call continues on another of your pages.',
  'chat-over': () => 'The chat has ended, and the call with it.',
};

/** The other side on the whole stage, the member in the corner, and the controls above the lower edge. */
function CallScreen({ chatId, myId, other }: { chatId: string; myId: string; other: ChatParty }) {
  const call = useVideoCall({ chatId, myId, otherId: other.id });
  const state = useSyncExternalStore(call.subscribe, () => call.state);
  const { stage, end, problem, remote, theirs, local, isCameraOff } = state;
  const isIn = stage !== 'ready' && stage !== 'ended';
  const [speakerId, setSpeakerId] = useState('');
  const sentence = sentenceOf(state, isolated(other.displayName));
  const seesOther = remote !== null && theirs.camera && stage !== 'ended';
  const showsOwn = local !== null && !isCameraOff && liveTracks(local, 'video').length > 0;
  useJoining(call);
  return (
    <section aria-label="Call" className="relative flex min-h-0 flex-1 flex-col overflow-hidden bg-sky-950">
      {remote !== null && stage !== 'ended' && (
        <StreamView
          stream={remote}
          label={`${isolated(other.displayName)}'s video`}
          speakerId={speakerId}
          className={clsx('absolute inset-0 size-full object-cover sm:object-contain', !seesOther && 'opacity-0')}
        />
      )}
      <CallBar chatId={chatId} other={other} state={state} />
      {!seesOther && (
        <div className="m-auto grid min-h-0 justify-items-center gap-3 overflow-y-auto p-6 text-center">
          <Avatar
            name={other.displayName}
            src={other.profileImageUrl}
            size="xl"
            className={clsx('size-28! tall:size-36! text-2xl!', stage === 'calling' && 'motion-safe:animate-ring')}
          />
          <bdi className="max-w-full truncate font-display text-xl font-semibold text-ink">{other.displayName}</bdi>
          <p className="text-sm text-ink-muted">{sentence}</p>
          <Lasted state={state} />
        </div>
      )}
      {seesOther && stage === 'reconnecting' && (
        <p className="relative m-auto rounded-full bg-sky-950/80 px-4 py-2 text-sm text-ink">{sentence}</p>
      )}
      <output className="sr-only">{sentence}</output>
      {isIn && showsOwn && (
        <StreamView
          stream={local}
          label="Your own video"
          isOwn
          className="absolute top-16 right-3 h-40 w-28 rounded-md border border-line-strong bg-sky-950 sm:top-auto sm:right-4 sm:bottom-4 sm:h-36 sm:w-52"
        />
      )}
      <div className="relative mt-auto grid justify-items-center gap-3 px-3 pb-[max(1.25rem,env(safe-area-inset-bottom))]">
        {problem !== null && (
          <div className="w-full max-w-md">
            <ErrorNote>{problem}</ErrorNote>
          </div>
        )}
        {isIn ? (
          <CallControls call={call} state={state} speakerId={speakerId} onSpeaker={setSpeakerId} />
        ) : (
          <BetweenCalls call={call} chatId={chatId} end={end} />
        )}
      </div>
    </section>
  );
}

/** Whoever accepted the call elsewhere joins at once. The wish is used up: a reload must not call again. */
function useJoining(call: VideoCall): void {
  const navigate = useNavigate();
  const { state, pathname } = useLocation();
  const joins: unknown = (state as { joins?: unknown } | null)?.joins;
  const join = useEffectEvent(() => {
    void navigate(pathname, { replace: true, state: null });
    void call.start({ answers: true });
  });
  useEffect(() => {
    if (typeof joins === 'string') join();
  }, [joins]);
}

/** The way back, who it is, and for how long the two have talked. */
function CallBar({ chatId, other, state }: { chatId: string; other: ChatParty; state: CallState }) {
  useDocumentTitle(`Video chat with ${isolated(other.displayName)}`);
  const { connectedAt, stage, theirs } = state;
  const seconds = useSecondsSince(stage === 'ended' ? null : connectedAt);
  return (
    <header className="relative z-10 flex items-center gap-2 bg-linear-to-b from-sky-950/90 to-transparent px-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-6">
      <Link
        to={`/chat/${chatId}`}
        aria-label="Back to the chat"
        className={buttonClasses({ variant: 'ghost', size: 'icon' })}
      >
        <ArrowLeft aria-hidden="true" className="size-5" />
      </Link>
      <h1 className="min-w-0 truncate text-base font-semibold text-ink">
        <span className="sr-only">Video chat with </span>
        <bdi>{other.displayName}</bdi>
      </h1>
      {seconds !== null && (
        <p role="timer" aria-label="Duration" className="text-sm text-ink-muted tabular-nums">
          {minutesAndSeconds(seconds)}
        </p>
      )}
      {seconds !== null && !theirs.microphone && (
        <p className="flex items-center gap-1 text-xs text-ink-muted">
          <MicOff aria-hidden="true" className="size-4" />
          <span>muted</span>
        </p>
      )}
    </header>
  );
}

function Lasted({ state: { stage, connectedAt, endedAt } }: { state: CallState }) {
  if (stage !== 'ended' || connectedAt === null || endedAt === null) return null;
  return (
    <p className="text-sm text-ink tabular-nums">
      {`You talked for ${minutesAndSeconds(Math.max(0, Math.round((endedAt - connectedAt) / 1_000)))}.`}
    </p>
  );
}

function callLabel(end: CallEnd | null): string {
  if (end === null) return 'Start call';
  return end === 'left' ? 'Join again' : 'Call again';
}

/** Before and after a call. */
function BetweenCalls({ call, chatId, end }: { call: VideoCall; chatId: string; end: CallEnd | null }) {
  const { rings } = useCalls();
  const isRinging = rings.some((ring) => ring.chatId === chatId);
  const Icon = isRinging ? Phone : Video;
  const leadsBack = end !== null && end !== 'left';
  const mayCall = end !== 'chat-over';
  return (
    <div className="flex flex-wrap justify-center gap-3">
      {end !== null && (
        <Link
          to={`/chat/${chatId}`}
          className={buttonClasses({ variant: leadsBack ? 'primary' : 'secondary', size: 'lg' })}
        >
          Back to the chat
        </Link>
      )}
      {mayCall && (
        <Button
          size="lg"
          variant={leadsBack ? 'secondary' : 'primary'}
          icon={<Icon aria-hidden="true" className="size-5" />}
          onClick={() => void call.start({ answers: isRinging })}
        >
          <span>{isRinging ? 'Join call' : callLabel(end)}</span>
        </Button>
      )}
    </div>
  );
}

interface StreamViewProps {
  stream: MediaStream;
  label: string;
  /** The member's own picture: mirrored and without sound. */
  isOwn?: boolean;
  /** Where its sound is heard; empty for the browser's own choice. */
  speakerId?: string;
  className?: string;
}

/** A live picture. */
function StreamView({ stream, label, isOwn = false, speakerId = '', className }: StreamViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  useEffect(() => {
    if (!isOwn && canChooseSpeaker()) void video.current?.setSinkId(speakerId).catch(() => undefined);
  }, [isOwn, speakerId]);
  return (
    // A call between two people has no captions to offer.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={video}
      aria-label={label}
      autoPlay
      playsInline
      muted={isOwn}
      className={clsx(isOwn && '-scale-x-100 object-cover', className)}
    />
  );
}

const canChooseSpeaker = (): boolean => 'setSinkId' in HTMLMediaElement.prototype;

interface CallControlsProps {
  call: VideoCall;
  state: CallState;
  speakerId: string;
  onSpeaker: (id: string) => void;
}

/** Mute, camera off, the choice of devices, hang up. */
function CallControls({ call, state, speakerId, onSpeaker }: CallControlsProps) {
  const { isMuted, isCameraOff, local } = state;
  return (
    <div className="flex justify-center gap-3 rounded-full bg-sky-950/70 p-2 backdrop-blur-sm">
      <RoundButton
        icon={isMuted ? MicOff : Mic}
        label={isMuted ? 'Unmute' : 'Mute'}
        isOff={isMuted}
        onClick={() => call.toggleMuted()}
      />
      <RoundButton
        icon={isCameraOff ? CameraOff : Camera}
        label={isCameraOff ? 'Camera on' : 'Camera off'}
        isOff={isCameraOff}
        onClick={() => call.toggleCamera()}
      />
      {local !== null && (
        <Popover.Root>
          <Popover.Trigger aria-label="Devices" title="Devices" className={roundClasses('bg-sky-700 text-ink')}>
            <Settings2 aria-hidden="true" className="size-6" />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Content
              side="top"
              sideOffset={12}
              collisionPadding={12}
              aria-label="Devices"
              className="z-30 grid w-[min(20rem,calc(100vw-24px))] animate-rise gap-4 rounded-lg border border-line bg-sky-800 p-4 shadow-raised"
            >
              <DeviceChoice call={call} stream={local} speakerId={speakerId} onSpeaker={onSpeaker} />
            </Popover.Content>
          </Popover.Portal>
        </Popover.Root>
      )}
      <button
        type="button"
        aria-label="Hang up"
        title="Hang up"
        className={roundClasses('bg-danger text-ink hover:bg-danger-bright')}
        onClick={() => call.hangUp()}
      >
        <PhoneOff aria-hidden="true" className="size-6" />
      </button>
    </div>
  );
}

const roundClasses = (colours: string): string =>
  `grid size-14 shrink-0 place-items-center rounded-full transition-colors ${colours}`;

interface RoundButtonProps {
  icon: LucideIcon;
  label: string;
  isOff: boolean;
  onClick: () => void;
}

function RoundButton({ icon: Icon, label, isOff, onClick }: RoundButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={roundClasses(isOff ? 'bg-ink text-sky-950' : 'bg-sky-700 text-ink')}
      onClick={onClick}
    >
      <Icon aria-hidden="true" className="size-6" />
    </button>
  );
}

/** The browser names its devices only once it may use them. */
function useDevices(): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    let isGone = false;
    const list = async () => {
      const found = await navigator.mediaDevices.enumerateDevices().catch(() => []);
      if (!isGone) setDevices(found);
    };
    const onChange = () => void list();
    onChange();
    navigator.mediaDevices.addEventListener('devicechange', onChange);
    return () => {
      isGone = true;
      navigator.mediaDevices.removeEventListener('devicechange', onChange);
    };
  }, []);
  return devices;
}

interface DeviceChoiceProps {
  call: VideoCall;
  stream: MediaStream;
  speakerId: string;
  onSpeaker: (id: string) => void;
}

function DeviceChoice({ call, stream, speakerId, onSpeaker }: DeviceChoiceProps) {
  const devices = useDevices();
  const idOf = (kind: MediaKind): string => liveTracks(stream, kind)[0]?.getSettings().deviceId ?? '';
  /** What is in use is always an option: otherwise the first one would look chosen, and could not be chosen. */
  const optionsOf = (kind: MediaDeviceKind, name: string, chosenId: string, nothing: string) => {
    const listed = devices
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map(({ deviceId, label }, index) => ({ value: deviceId, label: label === '' ? `${name} ${index + 1}` : label }));
    const isListed = listed.some(({ value }) => value === chosenId);
    return isListed ? listed : [{ value: chosenId, label: chosenId === '' ? nothing : name }, ...listed];
  };
  const [cameraId, microphoneId] = [idOf('video'), idOf('audio')];
  return (
    <>
      <Field label="Camera">
        <Select
          value={cameraId}
          options={optionsOf('videoinput', 'Camera', cameraId, 'No camera')}
          onChange={(event) => void call.choose('video', event.target.value)}
        />
      </Field>
      <Field label="Microphone">
        <Select
          value={microphoneId}
          options={optionsOf('audioinput', 'Microphone', microphoneId, 'No microphone')}
          onChange={(event) => void call.choose('audio', event.target.value)}
        />
      </Field>
      {canChooseSpeaker() && (
        <Field label="Speaker">
          <Select
            value={speakerId}
            options={optionsOf('audiooutput', 'Speaker', speakerId, 'Default')}
            onChange={(event) => onSpeaker(event.target.value)}
          />
        </Field>
      )}
    </>
  );
}
