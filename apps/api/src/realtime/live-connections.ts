import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../platform/config.js';
import { FrameHandler, type ReceivedFrame } from './frame-handler.js';
import { FrameQueue } from './frame-queue.js';
import { type CloseReason, FRAMES_AT_ONCE, FRAMES_PER_SECOND, SLOWED_NOTICE_MS } from './limits.js';
import { type Handshake, LiveSocket, type Transport } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';
import { Presence } from './presence.js';
import { TokenBucket } from './token-bucket.js';
import { Typing } from './typing.js';

/** What a transport tells of its socket. */
export interface LiveConnection {
  readonly socket: LiveSocket;
  receive(frame: ReceivedFrame, bytes: number): void;
  closed(): void;
}

/** From a socket's opening to its end, for either protocol: floods are slowed, then closed (`decisions.md`, Realtime). */
@Injectable()
export class LiveConnections {
  private onEmpty: (() => void) | undefined;

  constructor(
    @InjectConfig() private readonly config: Config,
    private readonly handler: FrameHandler,
    private readonly sockets: LiveSockets,
    private readonly presence: Presence,
    private readonly typing: Typing,
  ) {}

  open(handshake: Handshake, transport: Transport): LiveConnection {
    const socket = new LiveSocket(handshake, transport);
    const queue = this.queueOf(socket);
    if (this.sockets.add(socket)) this.presence.connected(socket.memberId);
    return {
      socket,
      receive: (frame, bytes) => queue.push(frame, bytes),
      closed: () => {
        queue.end();
        this.typing.left(socket);
        if (this.sockets.remove(socket)) this.presence.disconnected(socket.memberId);
        if (this.sockets.size === 0) this.onEmpty?.();
      },
    };
  }

  /** Resolves once all are closed; those that take longer are cut off. */
  async closeAll(reason: CloseReason, sentence: string, withinMs: number): Promise<void> {
    if (this.sockets.size === 0) return;
    const empty = new Promise<void>((resolve) => {
      this.onEmpty = resolve;
    });
    for (const socket of this.sockets.all()) socket.close(reason, sentence);
    const timer = setTimeout(() => {
      for (const socket of this.sockets.all()) socket.terminate();
    }, withinMs);
    await empty;
    clearTimeout(timer);
  }

  private queueOf(socket: LiveSocket): FrameQueue<ReceivedFrame> {
    const factor = this.config.rateLimitFactor;
    let noticeAt = -Infinity;
    return new FrameQueue({
      bucket: new TokenBucket({ perSecond: FRAMES_PER_SECOND * factor, atOnce: Math.max(1, FRAMES_AT_ONCE * factor) }),
      work: (frame) => this.handler.handle(socket, frame),
      onSlowed: () => {
        const now = performance.now();
        if (now - noticeAt < SLOWED_NOTICE_MS) return;
        noticeAt = now;
        socket.send('error', { message: 'You are sending too fast: please slow down.', code: 'TOO_FAST' });
      },
      onFlood: () => socket.close('flood', 'Too many frames came at once.'),
    });
  }
}
