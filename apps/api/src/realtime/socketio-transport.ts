import type { Socket } from 'socket.io';
import { AppError } from '../platform/errors/app-error.js';
import type { Acknowledgement, ReceivedFrame } from './frame-handler.js';
import { BACKLOG_PACKETS_MAX, type CloseReason } from './limits.js';
import type { Payload, Transport } from './live-socket.js';
import { REFUSED, type Refusal } from './tolerant-parser.js';

/** Events whose reason a client must know, because it does not see close codes. */
const TOLD: Partial<Record<CloseReason, string>> = { sessionEnded: 'SESSION_ENDED', flood: 'TOO_MANY_FRAMES' };

/** Socket.IO events, with the payload as their one argument (`decisions.md`, Realtime). */
export class SocketIoTransport implements Transport {
  constructor(private readonly socket: Socket) {}

  send(type: string, payload: Payload): void {
    this.socket.emit(type, payload);
    if (this.backlog() > BACKLOG_PACKETS_MAX) this.terminate();
  }

  /** Clients come back by themselves after a restart only: a socket that the server disconnects stays so. */
  close(reason: CloseReason, sentence: string): void {
    const code = TOLD[reason];
    if (code) this.socket.emit('error', { message: sentence, code });
    const { conn } = this.socket;
    // Polling closes in order only with the next poll, which may never come.
    if (reason === 'restart') conn.close(conn.transport.name === 'polling');
    else this.socket.disconnect(true);
  }

  terminate(): void {
    this.socket.conn.close(true);
  }

  /** Packets that wait because the client does not take them. */
  private backlog(): number {
    const { conn } = this.socket;
    const waiting: unknown = Reflect.get(conn, 'writeBuffer');
    if (!Array.isArray(waiting)) throw new AppError(500, 'INTERNAL_ERROR', 'Engine.IO has no write buffer any more.');
    return waiting.length;
  }
}

/** An event with its payload and, where the client wants one, its acknowledgement. */
export function readSocketIoEvent(type: unknown, args: readonly unknown[]): ReceivedFrame {
  const last = args.at(-1);
  const acknowledge = typeof last === 'function' ? (answer: Acknowledgement) => void last(answer) : undefined;
  const [payload] = acknowledge ? args.slice(0, -1) : args;
  if (type === REFUSED) return { type, payload: undefined, refusal: payload as Refusal, acknowledge };
  return { type, payload: payload ?? {}, acknowledge };
}
