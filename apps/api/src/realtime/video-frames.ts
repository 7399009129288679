import { Injectable } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { excessOf } from '../platform/shape.js';
import { ChatsOfMembers } from './chats-of-members.js';
import { chatIdOf, idOf } from './frame-fields.js';
import { SIGNAL_BYTES_MAX, SIGNAL_SHAPE } from './limits.js';
import type { LiveSocket, Payload } from './live-socket.js';
import { Relay } from './relay.js';
import { VideoSessions } from './video-sessions.js';

/** Signalling between the two browsers of an active chat (`decisions.md`, Chats: video chat). */
@Injectable()
export class VideoFrames {
  constructor(
    private readonly chats: ChatsOfMembers,
    private readonly sessions: VideoSessions,
    private readonly relay: Relay,
  ) {}

  /** Both sides hear of the call; whoever started it last makes the offer. */
  async start(socket: LiveSocket, payload: Payload): Promise<Payload> {
    const chatId = chatIdOf(payload);
    const otherId = await this.chats.activePartner(chatId, socket.memberId);
    const sessionId = await this.sessions.start(chatId, socket.memberId);
    this.tell([socket.memberId, otherId], chatId, 'video_chat_started', { sessionId, startedBy: socket.memberId });
    return { sessionId };
  }

  /** Hands an offer, an answer or a candidate on as it is. */
  async signal(socket: LiveSocket, payload: Payload): Promise<void> {
    const chatId = chatIdOf(payload);
    const sessionId = idOf(payload, 'sessionId');
    const signal = signalOf(payload);
    const otherId = await this.chats.activePartner(chatId, socket.memberId);
    if (!(await this.sessions.exists(chatId, sessionId))) throw noSession();
    this.tell([otherId], chatId, 'video_signal', { sessionId, from: socket.memberId, signal });
  }

  /** For the member's own other pages, which stop ringing: the caller is told nothing. */
  async decline(socket: LiveSocket, payload: Payload): Promise<void> {
    const chatId = chatIdOf(payload);
    const sessionId = idOf(payload, 'sessionId');
    await this.chats.partner(chatId, socket.memberId);
    this.tell([socket.memberId], chatId, 'video_declined', { sessionId });
  }

  /** Ending what has ended is no error: both may hang up at once. */
  async end(socket: LiveSocket, payload: Payload): Promise<void> {
    const chatId = chatIdOf(payload);
    const sessionId = idOf(payload, 'sessionId');
    const otherId = await this.chats.partner(chatId, socket.memberId);
    if (!(await this.sessions.end(chatId, sessionId))) return;
    this.tell([socket.memberId, otherId], chatId, 'video_ended', { sessionId, endedBy: socket.memberId });
  }

  private tell(to: readonly string[], chatId: string, type: string, payload: Payload): void {
    this.relay.publish({ to, chatId, type, payload: { chatId, ...payload } });
  }
}

const noSession = (): AppError => new AppError(404, 'VIDEO_NOT_FOUND', 'This video chat has ended.');

function signalOf({ signal }: Payload): unknown {
  if (typeof signal === 'object' && signal !== null && !excessOf(signal, SIGNAL_SHAPE)) {
    if (JSON.stringify(signal).length <= SIGNAL_BYTES_MAX) return signal;
  }
  throw new AppError(400, 'INVALID_SIGNAL', 'A signal is a JSON object of at most 32 kB.');
}
