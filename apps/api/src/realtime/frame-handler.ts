import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { asAppError } from '../platform/errors/error-body.js';
import { ReadModelTrouble } from '../platform/journal/read-model-trouble.js';
import { excessOf } from '../platform/shape.js';
import { ChatFrames } from './chat-frames.js';
import { FRAME_SHAPE } from './limits.js';
import type { LiveSocket, Payload } from './live-socket.js';
import type { Refusal } from './tolerant-parser.js';
import { VideoFrames } from './video-frames.js';

/** What a Socket.IO acknowledgement is answered with. */
export type Acknowledgement = Payload & { readonly ok: boolean };

/** A frame as either protocol brings it. */
export interface ReceivedFrame {
  readonly type: unknown;
  readonly payload: unknown;
  /** Why it could not be read at all. */
  readonly refusal?: Refusal | undefined;
  readonly acknowledge?: ((answer: Acknowledgement) => void) | undefined;
}

/** Works one kind of frame off; what it answers is the acknowledgement. */
export type FrameWork = (socket: LiveSocket, payload: Payload) => Promise<Payload | void> | Payload | void;

const REFUSALS: Readonly<Record<Refusal, AppError>> = {
  malformed: new AppError(400, 'MALFORMED_FRAME', 'This frame is not a JSON object with a type.'),
  'too-large': new AppError(413, 'FRAME_TOO_LARGE', 'This frame is larger than 64 kB.'),
  'too-complex': new AppError(400, 'FRAME_TOO_COMPLEX', 'This frame has more parts than any frame needs.'),
};

/** The one handler behind both protocols (`decisions.md`, Realtime). Whatever comes, it answers, and the socket stays. */
@Injectable()
export class FrameHandler {
  private readonly works: ReadonlyMap<string, FrameWork>;

  constructor(
    chats: ChatFrames,
    video: VideoFrames,
    private readonly readModels: ReadModelTrouble,
  ) {
    this.works = new Map<string, FrameWork>([
      ['ping', (socket) => socket.send('pong', {})],
      ['join_global', joinGlobal],
      ['join_chat', (socket, payload) => chats.join(socket, payload)],
      ['chat_message', (socket, payload) => chats.message(socket, payload)],
      ['typing_start', (socket, payload) => chats.typing(socket, payload, 'start')],
      ['typing_stop', (socket, payload) => chats.typing(socket, payload, 'stop')],
      ['video_start', (socket, payload) => video.start(socket, payload)],
      ['video_signal', (socket, payload) => video.signal(socket, payload)],
      ['video_decline', (socket, payload) => video.decline(socket, payload)],
      ['video_end', (socket, payload) => video.end(socket, payload)],
    ]);
  }

  /** Never rejects. */
  async handle(socket: LiveSocket, frame: ReceivedFrame): Promise<void> {
    try {
      const answer = await this.work(socket, frame);
      frame.acknowledge?.({ ok: true, ...answer });
    } catch (error) {
      refuse(socket, frame, await this.readModels.explain(asAppError(error)));
    }
  }

  private work(socket: LiveSocket, { type, payload, refusal }: ReceivedFrame): ReturnType<FrameWork> {
    if (refusal) throw REFUSALS[refusal];
    const work = typeof type === 'string' ? this.works.get(type) : undefined;
    if (!work) throw new AppError(400, 'UNKNOWN_TYPE', `There is no frame of the type ${named(type)}.`);
    if (!isPayload(payload)) throw REFUSALS.malformed;
    if (excessOf(payload, FRAME_SHAPE)) throw REFUSALS['too-complex'];
    return work(socket, payload);
  }
}

function joinGlobal(socket: LiveSocket, { userId }: Payload): Payload {
  if (userId !== socket.memberId) {
    throw new AppError(403, 'WRONG_MEMBER', 'You are signed in as somebody else.');
  }
  socket.isGlobal = true;
  socket.send('joined_global', { userId });
  return { userId };
}

function refuse(socket: LiveSocket, { payload, acknowledge }: ReceivedFrame, { code, message }: AppError): void {
  const { chatId, clientMessageId } = isPayload(payload) ? payload : {};
  socket.send('error', { message, code, ...short({ chatId, clientMessageId }) });
  acknowledge?.({ ok: false, message, code });
}

const ECHO_MAX = 64;

/** What lets a client tell which of its frames was refused. */
const short = (fields: Payload): Payload =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => typeof value === 'string' && value.length <= ECHO_MAX),
  );

const named = (type: unknown): string => (typeof type === 'string' ? `"${type.slice(0, ECHO_MAX)}"` : 'that was sent');

const isPayload = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
