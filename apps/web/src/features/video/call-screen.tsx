import { Phone, PhoneOff, Video } from 'lucide-react';
import type { ChatParty } from '@/features/chats';
import { Avatar, Button, ErrorNote } from '@/shared/ui';
import { CallControls } from './call-controls';
import { StreamView } from './stream-view';
import { useVideoCall, type CallStage } from './use-video-call';

const SENTENCES: Record<CallStage, (name: string) => string> = {
  ready: (name) => `Call ${name}. Your camera and microphone start when you call.`,
  incoming: (name) => `${name} is calling you.`,
  calling: (name) => `Waiting for ${name} to join…`,
  connected: (name) => `Connected with ${name}.`,
  ended: () => 'The call has ended.',
};

/** The other side large, oneself in the corner, and what to press. */
export function CallScreen({ chatId, myId, other }: { chatId: string; myId: string; other: ChatParty }) {
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
