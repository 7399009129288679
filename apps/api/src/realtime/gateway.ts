import { type IncomingMessage, type RequestListener, type Server as HttpServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Socket as EngineSocket, Server as EngineServer } from 'engine.io';
import type { Server as SocketIoServer, Socket as SocketIoSocket } from 'socket.io';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../platform/errors/app-error.js';
import { answerDue } from '../platform/http/malformed.js';
import { refuseOnSocket, refuseRequest } from '../platform/http/raw-refusal.js';
import { SECURITY_HEADERS, type SecurityHeaders } from '../platform/http/security-headers.js';
import { Entrance, nothingHere, type Target, targetOf } from './entrance.js';
import {
  CLOSE_TIMEOUT_MS,
  HANDSHAKE_MS_MAX,
  HEARTBEAT_MS,
  HEARTBEAT_TIMEOUT_MS,
  REALTIME_PATH,
  TRANSPORT_BYTES_MAX,
} from './limits.js';
import { LiveConnections } from './live-connections.js';
import { LiveEvents } from './live-events.js';
import { LiveMoney } from './live-money.js';
import type { Handshake } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';
import { PlainTransport, readPlainFrame } from './plain-transport.js';
import { Presence } from './presence.js';
import { Relay } from './relay.js';
import { SessionWatch } from './session-watch.js';
import { readSocketIoEvent, SocketIoTransport } from './socketio-transport.js';

/**
 * The live connection at `/ws`: Socket.IO where the query has `EIO`, else plain JSON frames (`decisions.md`, Realtime). Every
 * request for it is looked at here first, because Engine.IO would answer a plain upgrade with 400.
 */
@Injectable()
export class RealtimeGateway implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly plain = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: TRANSPORT_BYTES_MAX,
  });
  private readonly engine = new EngineServer({
    maxHttpBufferSize: TRANSPORT_BYTES_MAX,
    pingInterval: HEARTBEAT_MS,
    pingTimeout: HEARTBEAT_TIMEOUT_MS,
    httpCompression: false,
  });
  private readonly handshakes = new WeakMap<IncomingMessage, Handshake>();
  /** Of the Engine.IO sessions, by their ids. */
  private readonly engineSessions = new Map<string, Handshake>();
  /** Handshakes that made an Engine.IO session, which may be over. */
  private readonly inSession = new WeakSet<Handshake>();
  private socketIo: SocketIoServer | undefined;
  private isClosing = false;

  constructor(
    @Inject(SECURITY_HEADERS) private readonly securityHeaders: SecurityHeaders,
    private readonly adapterHost: HttpAdapterHost,
    private readonly entrance: Entrance,
    private readonly connections: LiveConnections,
    private readonly sockets: LiveSockets,
    private readonly relay: Relay,
    private readonly presence: Presence,
    private readonly liveEvents: LiveEvents,
    private readonly liveMoney: LiveMoney,
    private readonly sessionWatch: SessionWatch,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.presence.start();
    await this.liveEvents.start();
    this.liveMoney.start();
    this.sessionWatch.start();
    this.socketIo = this.relay.open();
    this.engine.on('connection', (session: EngineSocket) => this.keepEngineSession(session));
    this.socketIo.bind(this.engine);
    this.socketIo.on('connection', (socket) => this.openSocketIo(socket));
    this.attach(this.adapterHost.httpAdapter.getHttpServer() as HttpServer);
  }

  /** Runs before the HTTP server closes, which would wait for every open socket. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    this.sessionWatch.stop();
    await Promise.all([this.liveEvents.stop(), this.liveMoney.stop()]);
    await this.connections.closeAll('restart', 'The server restarts.', CLOSE_TIMEOUT_MS);
    await this.presence.stop();
    await this.relay.close();
  }

  private attach(server: HttpServer): void {
    const others = server.listeners('request') as RequestListener[];
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const target = targetOf(request.url);
      // Plain requests for /ws are answered as any unknown address is.
      if (target?.protocol === 'socket.io') void this.request(request, response, target);
      else for (const listener of others) listener.call(server, request, response);
    });
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      // Node has let go of the socket: nobody else ends it.
      socket.setTimeout(HANDSHAKE_MS_MAX, () => socket.destroy());
      // An answer to an earlier request is still to be sent: another one would be taken for it.
      if (answerDue(socket)) socket.destroy();
      else if (isOtherUpgrade(request)) answerWithoutUpgrade(server, request, socket);
      else void this.upgrade(request, socket, head);
    });
  }

  /** Socket.IO's long polling. */
  private async request(request: IncomingMessage, response: ServerResponse, target: Target): Promise<void> {
    for (const [name, value] of Object.entries(this.securityHeaders)) response.setHeader(name, value);
    try {
      const handshake = await this.admit(request, target);
      if (response.destroyed) return;
      if (target.sid === '') {
        this.entrance.enter(handshake);
        onceGone(request, response, () => {
          if (!this.inSession.has(handshake)) this.entrance.leave(handshake);
        });
      }
      this.engine.handleRequest(request, response);
    } catch (error) {
      refuseRequest(response, error);
    }
  }

  private async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    try {
      const target = targetOf(request.url);
      if (!target) throw nothingHere();
      const handshake = await this.admit(request, target);
      if (socket.destroyed) return;
      if (target.sid === '') {
        this.entrance.enter(handshake);
        socket.once('close', () => this.entrance.leave(handshake));
      }
      socket.setTimeout(0);
      if (target.protocol === 'socket.io') this.engine.handleUpgrade(request, socket, head);
      else this.plain.handleUpgrade(request, socket, head, (opened) => this.openPlain(opened, handshake, target));
    } catch (error) {
      refuseOnSocket(socket, error, this.securityHeaders);
    }
  }

  private async admit(request: IncomingMessage, { place, protocol, query, sid }: Target): Promise<Handshake> {
    if (this.isClosing && sid === '')
      throw new AppError(503, 'UNAVAILABLE', 'The server is stopping: try again in a moment.');
    if (place === 'elsewhere' && protocol === 'socket.io') throw nothingHere();
    const handshake = await this.entrance.admit(request);
    this.handshakes.set(request, handshake);
    const owner = this.engineSessions.get(sid)?.member;
    if (owner !== undefined && owner.id !== handshake.member.id) {
      throw new AppError(403, 'WRONG_MEMBER', 'This live connection belongs to somebody else.');
    }
    // Engine.IO reads the address again, and trusts its form.
    request.url = `${REALTIME_PATH}/${query}`;
    return handshake;
  }

  private keepEngineSession(session: EngineSocket): void {
    const handshake = this.handshakes.get(session.request);
    const id: unknown = Reflect.get(session, 'id');
    if (!handshake || typeof id !== 'string') throw new Error('an Engine.IO session has no id or no member');
    this.engineSessions.set(id, handshake);
    this.inSession.add(handshake);
    session.once('close', () => {
      this.engineSessions.delete(id);
      this.entrance.leave(handshake);
    });
  }

  private openPlain(opened: WebSocket, handshake: Handshake, { place }: Target): void {
    if (this.isClosing) return opened.terminate();
    const connection = this.connections.open(handshake, new PlainTransport(opened));
    opened.on('error', () => opened.terminate());
    opened.on('message', (data, isBinary) => {
      const { frame, bytes } = readPlainFrame(data, isBinary);
      connection.receive(frame, bytes);
    });
    const heartbeat = beat(opened);
    opened.once('close', () => {
      clearInterval(heartbeat);
      connection.closed();
    });
    if (place === 'elsewhere') {
      connection.socket.send('error', { message: `The live connection is at ${REALTIME_PATH}.`, code: 'UNKNOWN_PATH' });
    }
  }

  private openSocketIo(socket: SocketIoSocket): void {
    const handshake = this.handshakes.get(socket.request);
    if (!handshake || this.isClosing || this.isConnected(handshake)) {
      socket.disconnect(true);
      return;
    }
    const connection = this.connections.open(handshake, new SocketIoTransport(socket));
    // It may have ended since the handshake, when there was no socket to close.
    void this.sessionWatch.check([connection.socket]);
    let bytes = 0;
    socket.conn.on('packet', ({ data }: { data?: unknown }) => {
      bytes = typeof data === 'string' ? data.length : 0;
    });
    socket.onAny((type: unknown, ...args: unknown[]) => connection.receive(readSocketIoEvent(type, args), bytes));
    socket.once('disconnect', () => connection.closed());
  }

  /** Socket.IO takes a session that connects twice in the same moment for two. */
  private isConnected(handshake: Handshake): boolean {
    return [...this.sockets.of(handshake.member.id)].some((socket) => socket.handshake === handshake);
  }
}

/**
 * Some HTTP clients offer HTTP/2 with an ordinary request (`Upgrade: h2c`). They are answered as if they had not, unless
 * they send a body: Node no longer reads one here.
 */
const isOtherUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() !== 'websocket' &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0;

function answerWithoutUpgrade(server: HttpServer, request: IncomingMessage, socket: Socket): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  server.emit('request', request, response);
}

/** An answer that waits for others on its connection has no socket yet, and is not told when that closes. */
function onceGone({ socket }: IncomingMessage, response: ServerResponse, tell: () => void): void {
  const gone = (): void => {
    socket.off('close', gone);
    response.off('close', gone);
    tell();
  };
  socket.once('close', gone);
  response.once('close', gone);
}

/** Finds out sockets whose other end is gone without a word. */
function beat(opened: WebSocket): NodeJS.Timeout {
  let isAlive = true;
  opened.on('pong', () => {
    isAlive = true;
  });
  return setInterval(() => {
    if (!isAlive) return opened.terminate();
    isAlive = false;
    opened.ping();
  }, HEARTBEAT_MS).unref();
}
