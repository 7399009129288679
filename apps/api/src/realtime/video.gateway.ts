import { CommandBus } from '@nestjs/cqrs';
import { ConnectedSocket, MessageBody, SubscribeMessage } from '@nestjs/websockets';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { Frame } from '../platform/errors/validation.js';
import { excessOf } from '../platform/shape.js';
import { SIGNAL_BYTES_MAX, SIGNAL_SHAPE } from './limits.js';
import { ChatFrame, ChatId, FrameId, LiveGateway } from './live-gateway.js';
import type { LiveSocket, Payload } from './live-socket.js';
import { type CallOf, EndVideoCall, StartVideoCall, VideoCalls } from './video-calls.js';

@Frame()
class CallFrame {
  @ChatId()
  chatId: string;

  @FrameId()
  sessionId: string;
}

@Frame()
class SignalFrame {
  @ChatId()
  chatId: string;

  @FrameId()
  sessionId: string;

  /** An offer, an answer or a candidate: the browser's own object, unchanged. */
  @Transform(({ obj }: { obj: { signal: unknown } }) => obj.signal)
  @ValidateBy(
    {
      name: 'isSignal',
      validator: { validate: isSignal, defaultMessage: () => 'A signal is a JSON object of at most 32 kB.' },
    },
    { context: { code: 'INVALID_SIGNAL' } },
  )
  signal: object;
}

/** Signalling between the two browsers of an active chat. */
@LiveGateway()
export class VideoGateway {
  constructor(
    private readonly commands: CommandBus,
    private readonly calls: VideoCalls,
  ) {}

  @SubscribeMessage('video_start')
  async start(@ConnectedSocket() { data }: LiveSocket, @MessageBody() { chatId }: ChatFrame): Promise<Payload> {
    return { sessionId: await this.commands.execute(new StartVideoCall(chatId, data.member.id)) };
  }

  @SubscribeMessage('video_signal')
  signal(@ConnectedSocket() socket: LiveSocket, @MessageBody() { signal, ...call }: SignalFrame): Promise<void> {
    return this.calls.signal(callOf(socket, call), signal);
  }

  @SubscribeMessage('video_decline')
  decline(@ConnectedSocket() socket: LiveSocket, @MessageBody() call: CallFrame): Promise<void> {
    return this.calls.decline(callOf(socket, call));
  }

  @SubscribeMessage('video_end')
  end(@ConnectedSocket() socket: LiveSocket, @MessageBody() call: CallFrame): Promise<void> {
    return this.commands.execute(new EndVideoCall(callOf(socket, call)));
  }
}

const callOf = ({ data }: LiveSocket, { chatId, sessionId }: CallFrame): CallOf => ({
  chatId,
  sessionId,
  memberId: data.member.id,
});

function isSignal(signal: unknown): boolean {
  if (typeof signal !== 'object' || signal === null || excessOf(signal, SIGNAL_SHAPE)) return false;
  return JSON.stringify(signal).length <= SIGNAL_BYTES_MAX;
}
