import { EventEmitter } from 'node:events';
import { Server } from 'socket.io';
import { frameParser } from '../../apps/api/src/realtime/frame-decoder.js';
import type { LiveServer, LiveSocket } from '../../apps/api/src/realtime/live-socket.js';

/** An Engine.IO connection without a network: it records what Socket.IO writes. */
export class OfflineConnection extends EventEmitter {
  readonly id = Math.random().toString();
  readonly protocol = 4;
  readonly transport = { name: 'websocket', writable: true };
  readonly written: string[] = [];
  readonly closed: unknown[] = [];
  writeBuffer: unknown[] = [];
  readyState = 'open';

  constructor(readonly request: object = { headers: {}, connection: {} }) {
    super();
  }

  write(packet: string): void {
    this.written.push(packet);
  }

  close(discard?: boolean): void {
    this.closed.push(discard);
    this.readyState = 'closed';
    this.emit('close', 'transport close');
  }

  /** The events that were written, as `[type, payload]`. */
  events(): unknown[] {
    return this.written
      .filter((packet) => packet.startsWith('2'))
      .map((packet) => JSON.parse(packet.slice(1)) as unknown);
  }
}

/** Socket.IO's server with its rooms, in memory. */
export const offlineServer = (): LiveServer => new Server({ serveClient: false, parser: frameParser });

/** A member's socket on a server whose engine this makes. */
export async function openOffline(
  server: LiveServer,
  memberId: string,
): Promise<{ socket: LiveSocket; connection: OfflineConnection }> {
  const connection = new OfflineConnection();
  const opened = new Promise<LiveSocket>((resolve) => void server.once('connection', resolve));
  const engine = new EventEmitter();
  server.bind(engine);
  engine.emit('connection', connection);
  connection.emit('data', '0');
  const socket = await opened;
  const member = { id: memberId, isAdmin: false, sessionId: 's', deviceId: 'd', signedInAt: new Date(0) };
  socket.data = { member, session: 'hash' };
  return { socket, connection };
}
