import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import type { MessageMappingProperties } from '@nestjs/websockets';
import { firstValueFrom, type Observable } from 'rxjs';
import { type IdentityChange, IdentityChanges } from '../identity/identity-changes.js';
import { tokenHash } from '../identity/random-token.js';
import { Sessions } from '../identity/sessions.js';
import { type Config, InjectConfig } from '../platform/config.js';
import { AppError } from '../platform/errors/app-error.js';
import { bytesOf, type Refusal, REFUSED } from './frame-decoder.js';
import { FrameQueue, TokenBucket } from './frame-queue.js';
import {
  BACKLOG_PACKETS_MAX,
  CLOSE_TIMEOUT_MS,
  FRAMES_AT_ONCE,
  FRAMES_PER_SECOND,
  REALTIME_PATH,
  SESSION_CHECK_MS,
  SLOWED_NOTICE_MS,
} from './limits.js';
import { LiveEngine } from './live-engine.js';
import { type Acknowledge, ECHO_MAX, REFUSALS, refuseFrame } from './live-gateway.js';
import { endSocket, type LiveServer, type LiveSocket } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';
import { plainOf } from './plain-connection.js';
import { Relay } from './relay.js';

const SESSIONS_AT_ONCE = 2_000;

/** Closes the sockets of sessions that have ended: signed out, device removed, account closed, too old (rule accounts-18). */
@Injectable()
export class SessionWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(SessionWatch.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly sockets: LiveSockets,
    changes: IdentityChanges,
  ) {
    changes.onChange((change) => void this.check(this.concerned(change)));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.check(this.sockets.all()), SESSION_CHECK_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private concerned(change: IdentityChange): LiveSocket[] {
    switch (change.kind) {
      case 'account':
        return [...this.sockets.of(change.accountId)];
      case 'device':
        return [...this.sockets.ofDevice(change.deviceId)];
      case 'session':
        return [...this.sockets.ofSession(change.tokenHash)];
      case 'all':
        return this.sockets.all();
    }
  }

  /** Closes those whose session has ended. */
  async check(sockets: readonly LiveSocket[]): Promise<void> {
    for (let first = 0; first < sockets.length; first += SESSIONS_AT_ONCE) {
      await this.checkSome(sockets.slice(first, first + SESSIONS_AT_ONCE));
    }
  }

  private async checkSome(sockets: readonly LiveSocket[]): Promise<void> {
    try {
      const living = await this.sessions.livingAmong(sockets.map(({ data }) => data.session));
      for (const socket of sockets) {
        if (!living.has(socket.data.session)) endSocket(socket, 'sessionEnded');
      }
    } catch (error) {
      // The next round asks again.
      this.logger.warn({ err: error }, 'sessions of live connections could not be checked');
    }
  }
}

/** What Nest makes of a handler's promise or observable. */
type Transform = (result: unknown) => Observable<unknown>;

interface Route {
  readonly handle: MessageMappingProperties['callback'];
  readonly transform: Transform;
}

/**
 * Hands the sockets of one Socket.IO server, bound to our own engine, to Nest's gateways. All gateways share a socket's
 * one queue: its frames are handled one after the other. A socket that floods is slowed, then closed.
 */
@Injectable()
export class NovaIoAdapter extends IoAdapter {
  private readonly routes = new WeakMap<LiveSocket, Map<unknown, Route>>();
  /** Engine.IO sessions and plain connections that have a socket. */
  private readonly connected = new WeakSet<LiveSocket['client']>();

  constructor(
    @InjectConfig() private readonly config: Config,
    private readonly engine: LiveEngine,
    private readonly relay: Relay,
    private readonly sockets: LiveSockets,
    private readonly sessionWatch: SessionWatch,
  ) {
    super();
  }

  override createIOServer(): LiveServer {
    const server = this.relay.open();
    server.bind(this.engine);
    this.sockets.serve(server);
    server.use((socket, next) => {
      if (this.admit(socket)) next();
      else socket.conn.close();
    });
    return server;
  }

  /** Nest calls this once for each gateway. */
  override bindMessageHandlers(socket: LiveSocket, handlers: MessageMappingProperties[], transform: Transform): void {
    const routes = this.routes.get(socket) ?? this.open(socket);
    for (const { message, callback } of handlers) routes.set(message, { handle: callback, transform });
  }

  /**
   * Ends the sockets in a way that lets clients reconnect. Nest calls this before the HTTP server closes, which would
   * wait for them.
   */
  override async close(): Promise<void> {
    this.engine.isClosing = true;
    const connections = this.sockets.all().map(({ conn }) => conn);
    const closed = connections.map((conn) => new Promise<void>((resolve) => void conn.once('close', () => resolve())));
    // A polling connection closes in an orderly way only with the next poll, which may never come.
    for (const conn of connections) conn.close(conn.transport.name === 'polling');
    const timer = setTimeout(() => {
      for (const conn of connections) conn.close(true);
    }, CLOSE_TIMEOUT_MS);
    await Promise.all(closed);
    clearTimeout(timer);
    await this.relay.close();
  }

  /** Socket.IO takes a session that connects twice at the same moment for two sockets: the second one is ended. */
  private admit(socket: LiveSocket): boolean {
    const handshake = this.engine.handshakeOf(socket.request);
    if (!handshake || this.engine.isClosing || this.connected.has(socket.client)) return false;
    const { member, sessionToken } = handshake;
    socket.data = { member, session: tokenHash(sessionToken).toString('base64') };
    this.connected.add(socket.client);
    return true;
  }

  private open(socket: LiveSocket): Map<unknown, Route> {
    const routes = new Map<unknown, Route>();
    this.routes.set(socket, routes);
    const queue = this.queueOf(socket, routes);
    // Never continues to Socket.IO's own dispatch, so no name that a client chose reaches Node's emitter.
    socket.use((event) => queue.push(event, bytesOf(event)));
    socket.once('disconnect', () => {
      queue.end();
      this.connected.delete(socket.client);
    });
    const plain = plainOf(socket);
    if (!plain) this.watch(socket);
    else if (plain.isElsewhere) {
      socket.emit('error', { message: `The live connection is at ${REALTIME_PATH}.`, code: 'UNKNOWN_PATH' });
    }
    return routes;
  }

  /** Plain connections do this by themselves, or at once. */
  private watch(socket: LiveSocket): void {
    const { conn } = socket;
    const endSlow = (): void => {
      if (conn['writeBuffer'].length > BACKLOG_PACKETS_MAX) conn.close(true);
    };
    conn.on('packetCreate', endSlow);
    socket.once('disconnect', () => void conn.off('packetCreate', endSlow));
    // The session may have ended since the handshake, when there was no socket yet to close.
    void this.sessionWatch.check([socket]);
  }

  private queueOf(socket: LiveSocket, routes: ReadonlyMap<unknown, Route>): FrameQueue<unknown[]> {
    const factor = this.config.rateLimitFactor;
    let noticeAt = -Infinity;
    return new FrameQueue({
      bucket: new TokenBucket({ perSecond: FRAMES_PER_SECOND * factor, atOnce: Math.max(1, FRAMES_AT_ONCE * factor) }),
      work: (event) => handle(socket, routes, event),
      onSlowed: () => {
        const now = performance.now();
        if (now - noticeAt < SLOWED_NOTICE_MS) return;
        noticeAt = now;
        socket.emit('error', { message: 'You are sending too fast. Please slow down.', code: 'TOO_FAST' });
      },
      onFlood: () => endSocket(socket, 'flood'),
    });
  }
}

/** Answers every frame. Never rejects. */
async function handle(socket: LiveSocket, routes: ReadonlyMap<unknown, Route>, event: unknown[]): Promise<void> {
  const last = event.at(-1);
  const acknowledge = typeof last === 'function' ? (last as Acknowledge) : undefined;
  const [type, given] = acknowledge ? event.slice(0, -1) : event;
  const payload = given ?? {};
  try {
    if (type === REFUSED) throw REFUSALS[payload as Refusal];
    const route = routes.get(type);
    if (!route) throw new AppError(400, 'UNKNOWN_TYPE', `There is no frame of the type ${named(type)}.`);
    const answered = route.transform(route.handle(payload, acknowledge));
    const answer = await firstValueFrom(answered, { defaultValue: undefined });
    // If undefined, the frame was refused, and the filter has answered.
    if (answer !== undefined) acknowledge?.(answer as Parameters<Acknowledge>[0]);
  } catch (error) {
    refuseFrame([socket, payload, acknowledge], error);
  }
}

const named = (type: unknown): string => (typeof type === 'string' ? `"${type.slice(0, ECHO_MAX)}"` : 'that was sent');
