import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { Server as EngineServer, type Socket as EngineSocket } from 'engine.io';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { WebSocketServer } from 'ws';
import { AppError } from '../platform/errors/app-error.js';
import { sendError } from '../platform/errors/exception.filter.js';
import { answerDue } from '../platform/http/malformed.js';
import { refuseOnSocket } from '../platform/http/raw-refusal.js';
import { SECURITY_HEADERS, type SecurityHeaders } from '../platform/http/security-headers.js';
import { Entrance, type Handshake, nothingHere, type Target, targetOf } from './entrance.js';
import { HANDSHAKE_MS_MAX, HEARTBEAT_MS, HEARTBEAT_TIMEOUT_MS, POLLING_PATH, TRANSPORT_BYTES_MAX } from './limits.js';
import { PlainConnection } from './plain-connection.js';

/** The target that the client sent: the router sees another one (`routedAddress`). */
const sentTo = (request: IncomingMessage & { originalUrl?: string }): Target | undefined =>
  targetOf(request.originalUrl ?? request.url);

interface PlainOpening {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly isElsewhere: boolean;
}

/**
 * The Engine.IO server of the live connection at `/ws`. It serves Socket.IO if the query has `EIO`, else plain frames.
 * It admits clients itself, because Engine.IO's `allowRequest` can only refuse with 403 and 400.
 */
@Injectable()
export class LiveEngine extends EngineServer {
  /** Once true, nobody is admitted. */
  isClosing = false;
  private readonly plain = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: TRANSPORT_BYTES_MAX,
  });
  private readonly handshakes = new WeakMap<IncomingMessage, Handshake>();
  /** Handshakes that began an Engine.IO session, which may have ended. */
  private readonly inSession = new WeakSet<Handshake>();

  constructor(
    @Inject(SECURITY_HEADERS) private readonly securityHeaders: SecurityHeaders,
    private readonly entrance: Entrance,
  ) {
    super({
      maxHttpBufferSize: TRANSPORT_BYTES_MAX,
      pingInterval: HEARTBEAT_MS,
      pingTimeout: HEARTBEAT_TIMEOUT_MS,
      httpCompression: false,
    });
    this.on('connection', (connection: EngineSocket | PlainConnection) => {
      if (!(connection instanceof PlainConnection)) this.countSession(connection);
    });
  }

  /** The handshake of the connection that began with this request. */
  handshakeOf(request: IncomingMessage): Handshake | undefined {
    return this.handshakes.get(request);
  }

  /** Takes Socket.IO's long polling and all upgrades. */
  async serve(fastify: FastifyInstance): Promise<void> {
    await fastify.register(async (routes) => {
      routes.setErrorHandler((error, request, reply) => sendError(request, reply.header('connection', 'close'), error));
      routes.removeAllContentTypeParsers();
      // Engine.IO reads bodies itself.
      routes.addContentTypeParser('*', (_request, _body, done) => done(null));
      routes.route({
        method: ['GET', 'POST'],
        url: POLLING_PATH,
        exposeHeadRoute: false,
        config: { isHeldBack: true },
        handler: (request, reply) => this.poll(request.raw, reply),
      });
    });
    const { server } = fastify;
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      // Node no longer manages the socket, so nobody else ends it.
      socket.setTimeout(HANDSHAKE_MS_MAX, () => socket.destroy());
      // An earlier request on this socket still awaits its answer: a refusal would be taken for that answer.
      if (answerDue(socket)) socket.destroy();
      else if (isOtherUpgrade(request)) answerWithoutUpgrade(fastify, request, socket);
      else void this.upgrade(request, socket, head);
    });
  }

  /** Cuts connections that have not closed in an orderly way: the HTTP server would wait for them. */
  override close(): this {
    for (const opened of this.plain.clients) opened.terminate();
    return super.close();
  }

  private async poll(request: IncomingMessage, reply: FastifyReply): Promise<void> {
    const { target, handshake } = await this.admit(request);
    const response = reply.raw;
    if (target.sid === '' && !response.destroyed) {
      this.entrance.enter(handshake);
      onceGone(request, response, () => {
        if (!this.inSession.has(handshake)) this.entrance.leave(handshake);
      });
    }
    reply.hijack();
    if (response.destroyed) return;
    for (const [name, value] of Object.entries(reply.getHeaders())) response.setHeader(name, value ?? '');
    this.handleRequest(request, response);
  }

  private async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    try {
      const { target, handshake } = await this.admit(request);
      if (socket.destroyed) return;
      if (target.sid === '') {
        this.entrance.enter(handshake);
        socket.once('close', () => this.entrance.leave(handshake));
      }
      socket.setTimeout(0);
      if (target.protocol === 'socket.io') this.handleUpgrade(request, socket, head);
      else this.openPlain({ request, socket, head, isElsewhere: target.place === 'elsewhere' });
    } catch (error) {
      refuseOnSocket(socket, error, this.securityHeaders);
    }
  }

  private openPlain({ request, socket, head, isElsewhere }: PlainOpening): void {
    this.plain.handleUpgrade(request, socket, head, (opened) => {
      const connection = new PlainConnection(request, opened, isElsewhere);
      this.emit('connection', connection);
      // Asks for the namespace, as Socket.IO's clients do.
      connection.emit('data', '0');
    });
  }

  private async admit(request: IncomingMessage): Promise<{ target: Target; handshake: Handshake }> {
    const target = sentTo(request);
    if (!target) throw nothingHere();
    const { place, protocol, query, sid } = target;
    if (this.isClosing && sid === '') {
      throw new AppError(503, 'UNAVAILABLE', 'The server is stopping. Try again in a moment.', {
        retryAfterSeconds: 1,
      });
    }
    if (place === 'elsewhere' && protocol === 'socket.io') throw nothingHere();
    const handshake = await this.entrance.admit(request);
    this.handshakes.set(request, handshake);
    const owner = this.ownerOf(sid);
    if (owner !== undefined && owner.id !== handshake.member.id) {
      throw new AppError(403, 'WRONG_MEMBER', 'This live connection belongs to somebody else.');
    }
    // Engine.IO parses the address again, and trusts its form.
    request.url = `${POLLING_PATH}${query}`;
    return { target, handshake };
  }

  /** The member of an Engine.IO session. */
  private ownerOf(sid: string): Handshake['member'] | undefined {
    const session = Object.hasOwn(this.clients, sid) ? this.clients[sid] : undefined;
    return session && this.handshakes.get(session.request)?.member;
  }

  private countSession(session: EngineSocket): void {
    const handshake = this.handshakes.get(session.request);
    if (!handshake) throw new Error('an Engine.IO session has no member');
    this.inSession.add(handshake);
    session.once('close', () => this.entrance.leave(handshake));
  }
}

/**
 * Some HTTP clients offer HTTP/2 with an ordinary request (`Upgrade: h2c`). They are answered as if they had not,
 * unless they send a body, which Node no longer reads here.
 */
const isOtherUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() !== 'websocket' &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0;

function answerWithoutUpgrade({ server }: FastifyInstance, request: IncomingMessage, socket: Socket): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  server.emit('request', request, response);
}

/** A response that waits for others on its connection has no socket yet, and does not notice when the socket closes. */
function onceGone({ socket }: IncomingMessage, response: ServerResponse, tell: () => void): void {
  const gone = (): void => {
    socket.off('close', gone);
    response.off('close', gone);
    tell();
  };
  socket.once('close', gone);
  response.once('close', gone);
}
