import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RawData, WebSocket } from 'ws';
import { PlainFrame } from './frame-decoder.js';
import { BACKLOG_BYTES_MAX, HEARTBEAT_MS, RESTART_CLOSE_CODE } from './limits.js';

/** The beginnings of the Socket.IO packets that concern a plain socket. */
const JOINED = '0';
const EVENT = '2';

/** The frame of a broadcast, by the options object that all its sockets share: it is made only once. */
const made = new WeakMap<object, string>();

/**
 * A plain WebSocket in the shape of an Engine.IO connection, as far as Socket.IO's server uses one. So both protocols
 * have the same rooms, guards and handlers. Its frames are JSON objects with the event's name in `type` and its fields
 * next to it.
 */
export class PlainConnection extends EventEmitter {
  readonly id = randomUUID();
  readonly protocol = 4;
  readonly transport: { readonly name: 'plain'; readonly writable: boolean };
  readonly remoteAddress: string | undefined;
  readyState: 'open' | 'closing' | 'closed' = 'open';
  /** What the client is told when the server closes the connection. Any code except 1001 makes clients reconnect. */
  closing: { readonly code: number; readonly sentence: string } = {
    code: RESTART_CLOSE_CODE,
    sentence: 'The server restarts.',
  };

  /** @param isElsewhere the client asked for an address below the right one, where nothing is */
  constructor(
    readonly request: IncomingMessage,
    private readonly socket: WebSocket,
    readonly isElsewhere: boolean,
  ) {
    super();
    this.remoteAddress = request.socket.remoteAddress;
    this.transport = {
      name: 'plain',
      get writable() {
        return socket.bufferedAmount === 0;
      },
    };
    // Socket.IO ends connections that send before its middleware is done.
    socket.pause();
    socket.on('message', (data, isBinary) => this.emit('data', new PlainFrame(bufferOf(data), isBinary)));
    socket.on('error', () => socket.terminate());
    const heartbeat = beat(socket);
    socket.once('close', () => {
      clearInterval(heartbeat);
      this.readyState = 'closed';
      this.emit('close', 'transport close');
    });
  }

  /** Takes a packet of Socket.IO. Packets other than events mean nothing to a plain client. */
  write(packet: string, options: object = {}): void {
    if (packet.startsWith(JOINED)) this.socket.resume();
    if (!packet.startsWith(EVENT) || this.socket.readyState !== this.socket.OPEN) return;
    const frame = made.get(options) ?? plainFrame(packet);
    made.set(options, frame);
    this.socket.send(frame);
    if (this.socket.bufferedAmount > BACKLOG_BYTES_MAX) this.socket.terminate();
  }

  /** @param discard cuts the connection without a close handshake */
  close(discard = false): void {
    if (this.readyState === 'open') this.readyState = 'closing';
    // A paused socket would never read the other side's close.
    this.socket.resume();
    if (discard) this.socket.terminate();
    else this.socket.close(this.closing.code, this.closing.sentence);
  }
}

/** A socket's connection, if it is a plain one. */
export const plainOf = ({ conn }: { readonly conn: unknown }): PlainConnection | undefined =>
  conn instanceof PlainConnection ? conn : undefined;

/** Turns `2["type",{…}]`, as Socket.IO's encoder writes it, into `{"type":"type",…}`, by cutting instead of parsing. */
function plainFrame(packet: string): string {
  const end = packet.indexOf('"', EVENT.length + '["'.length);
  const type = packet.slice(EVENT.length + 1, end + 1);
  const fields = packet.slice(end + 2, -1);
  if (!fields.startsWith('{')) throw new Error(`a plain frame has fields, and ${type} has none`);
  return fields === '{}' ? `{"type":${type}}` : `{"type":${type},${fields.slice(1)}`;
}

function bufferOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

/** Detects sockets whose other end is gone without closing. */
function beat(socket: WebSocket): NodeJS.Timeout {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  return setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, HEARTBEAT_MS).unref();
}
