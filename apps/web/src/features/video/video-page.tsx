import { clsx } from 'clsx';
import { Camera, CameraOff, Mic, MicOff, Phone, PhoneOff, Video, VideoOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { ChatParty } from '@/features/chats';
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
  Skeleton,
} from '@/shared/ui';
import { type CallStage, useVideoCall, type VideoCall } from './use-video-call';

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

const SENTENCES: Record<CallStage, (name: string) => string> = {
  ready: (name) => `Call ${name}. Your camera and microphone start when you call.`,
  incoming: (name) => `${name} is calling you.`,
  calling: (name) => `Waiting for ${name} to join…`,
  connected: (name) => `Connected with ${name}.`,
  ended: () => 'The call has ended.',
};

/** The other side large, the member in the corner, and the controls. */
function CallScreen({ chatId, myId, other }: { chatId: string; myId: string; other: ChatParty }) {
  const call = useVideoCall(chatId, myId);
  const { stage, problem, remote } = call;
  const local = call.media.stream;
  const isIn = stage === 'calling' || stage === 'connected';
  return (
    <div className="grid grid-cols-1 gap-4">
      {problem !== null && <ErrorNote>{problem}</ErrorNote>}
      <section
        aria-label="Call"
        className="relative grid h-[58dvh] min-h-80 place-items-center overflow-hidden rounded-lg border border-line bg-sky-800"
      >
        {remote === null ? (
          <div className="grid justify-items-center gap-4 p-6 text-center">
            <Avatar name={other.displayName} src={other.profileImageUrl} size="xl" />
            <p className="max-w-sm text-sm text-ink-muted">{SENTENCES[stage](other.displayName)}</p>
          </div>
        ) : (
          <StreamView stream={remote} label={`${other.displayName}'s video`} className="size-full" />
        )}
        {local !== null && (
          <StreamView
            stream={local}
            label="Your own video"
            isOwn
            className="absolute right-3 bottom-3 h-28 w-40 rounded-md border border-line-strong bg-sky-950 sm:h-36 sm:w-52"
          />
        )}
      </section>
      <output className="sr-only">{SENTENCES[stage](other.displayName)}</output>
      {isIn ? (
        <CallControls call={call} />
      ) : (
        <div className="flex justify-center gap-3">
          {stage === 'incoming' && (
            <Button size="lg" icon={<PhoneOff aria-hidden="true" className="size-5" />} onClick={call.hangUp}>
              Not now
            </Button>
          )}
          <Button
            size="lg"
            variant="primary"
            icon={
              stage === 'incoming' ? (
                <Phone aria-hidden="true" className="size-5" />
              ) : (
                <Video aria-hidden="true" className="size-5" />
              )
            }
            onClick={() => void call.start()}
          >
            {stage === 'incoming' ? 'Join call' : 'Start call'}
          </Button>
        </div>
      )}
    </div>
  );
}

interface StreamViewProps {
  stream: MediaStream;
  label: string;
  /** The member's own picture: mirrored and without sound. */
  isOwn?: boolean;
  className?: string;
}

/** A live picture. */
function StreamView({ stream, label, isOwn = false, className }: StreamViewProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  return (
    // A call between two people has no captions to offer.
    // oxlint-disable-next-line jsx-a11y/media-has-caption
    <video
      ref={video}
      aria-label={label}
      autoPlay
      playsInline
      muted={isOwn}
      className={clsx('object-cover', isOwn && '-scale-x-100', className)}
    />
  );
}

/** Mute, camera off, hang up, and the choice of camera and microphone. */
function CallControls({ call }: { call: VideoCall }) {
  const { isMuted, isCameraOff, toggleMuted, toggleCamera, stream } = call.media;
  const MicIcon = isMuted ? MicOff : Mic;
  const CameraIcon = isCameraOff ? CameraOff : Camera;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap justify-center gap-3">
        <Button
          size="lg"
          aria-pressed={isMuted}
          icon={<MicIcon aria-hidden="true" className="size-5" />}
          onClick={toggleMuted}
        >
          {isMuted ? 'Unmute' : 'Mute'}
        </Button>
        <Button
          size="lg"
          aria-pressed={isCameraOff}
          icon={<CameraIcon aria-hidden="true" className="size-5" />}
          onClick={toggleCamera}
        >
          {isCameraOff ? 'Camera on' : 'Camera off'}
        </Button>
        <Button
          size="lg"
          variant="danger"
          icon={<PhoneOff aria-hidden="true" className="size-5" />}
          onClick={call.hangUp}
        >
          Hang up
        </Button>
      </div>
      {stream !== null && <DeviceChoice key={stream.id} call={call} stream={stream} />}
    </div>
  );
}

/** The browser names its devices only once it may use them. */
function useDevices(): MediaDeviceInfo[] {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  useEffect(() => {
    let isGone = false;
    const list = async () => {
      const found = await navigator.mediaDevices.enumerateDevices();
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

function DeviceChoice({ call, stream }: { call: VideoCall; stream: MediaStream }) {
  const devices = useDevices();
  const idOf = (track: MediaStreamTrack | undefined): string | undefined => track?.getSettings().deviceId;
  const cameraId = idOf(stream.getVideoTracks()[0]);
  const microphoneId = idOf(stream.getAudioTracks()[0]);
  const optionsOf = (kind: MediaDeviceKind, name: string) =>
    devices
      .filter((device) => device.kind === kind && device.deviceId !== '')
      .map(({ deviceId, label }, index) => ({ value: deviceId, label: label === '' ? `${name} ${index + 1}` : label }));
  return (
    <div className="mx-auto grid w-full max-w-xl gap-4 sm:grid-cols-2">
      <Field label="Camera">
        <Select
          value={cameraId ?? ''}
          options={optionsOf('videoinput', 'Camera')}
          onChange={(event) => void call.choose({ cameraId: event.target.value, microphoneId })}
        />
      </Field>
      <Field label="Microphone">
        <Select
          value={microphoneId ?? ''}
          options={optionsOf('audioinput', 'Microphone')}
          onChange={(event) => void call.choose({ cameraId, microphoneId: event.target.value })}
        />
      </Field>
    </div>
  );
}
