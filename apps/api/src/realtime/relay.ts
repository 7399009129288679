import { type Channel, ChannelListener } from '@app/event-store';
import { Injectable, Logger } from '@nestjs/common';
import { createAdapter } from '@socket.io/postgres-adapter';
import type { Pool, QueryResult } from 'pg';
import { Server } from 'socket.io';
import { InjectPool } from '../platform/database/database.module.js';
import { frameParser } from './frame-decoder.js';
import { HEARTBEAT_TIMEOUT_MS } from './limits.js';
import type { LiveServer, Payload } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';

/** The most ephemeral frames that wait to be sent; later ones are lost. */
const WAITING_MAX = 1_000;

const LISTEN = /^LISTEN "(.+)"$/;

/** The part of a `pg.Pool` client that Socket.IO's adapter uses. */
interface AdapterClient {
  on(event: 'notification' | 'end', listener: (message: { readonly payload: string }) => void): void;
  removeAllListeners(event: 'end'): void;
  query(text: string): Promise<void>;
  release(): void;
}

/**
 * The pool of Socket.IO's Postgres adapter. It listens on the connection that the process uses for all notifications,
 * which reconnects by itself: a connection of its own would be woken by every notification in the database. It sends
 * frames one after the other, so that they keep their order.
 */
class RelayDatabase {
  private readonly channels: Channel[] = [];
  private isEnded = false;
  private waiting = 0;
  /**
   * The last send in progress. Frames sent before we first listen wait for that: other processes must learn of us at
   * once.
   */
  private sending: Promise<unknown>;
  private begin: () => void = () => undefined;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly listener: ChannelListener,
  ) {
    this.sending = new Promise<void>((resolve) => {
      this.begin = resolve;
    });
  }

  /** As in `pg.Pool`. The client that it returns never ends by itself. */
  connect(): Promise<AdapterClient> {
    const heard: ((message: { readonly payload: string }) => void)[] = [];
    return Promise.resolve({
      on: (event, listener) => {
        if (event === 'notification') heard.push(listener);
      },
      removeAllListeners: () => undefined,
      query: (text) => this.listen(text, (payload) => heard.forEach((listener) => listener({ payload }))),
      release: () => this.channels.forEach((channel) => this.listener.forget(channel)),
    });
  }

  private async listen(text: string, heard: (payload: string) => void): Promise<void> {
    const name = LISTEN.exec(text)?.[1];
    if (name === undefined) throw new Error(`Socket.IO's adapter asks for something else than to listen: ${text}`);
    // From then on, no answer to a sent frame is missed.
    const channel = { name, heard, began: this.begin };
    this.channels.push(channel);
    await this.listener.listen(channel);
  }

  /** As in `pg.Pool`. A frame that cannot be sent is lost: it mattered only at that moment. */
  async query(text: string, values?: unknown[]): Promise<QueryResult> {
    if (this.waiting >= WAITING_MAX) throw new Error('too much waits to be sent to other processes');
    this.waiting += 1;
    const sent = this.sending.then(() => {
      if (this.isEnded) throw new Error('the relay has ended');
      return this.pool.query(text, values);
    });
    this.sending = sent.catch(() => undefined);
    try {
      return await sent;
    } finally {
      this.waiting -= 1;
    }
  }

  end(): void {
    this.isEnded = true;
    this.begin();
  }
}

/** An ephemeral frame (typing, presence, signalling) for sockets of any process. */
export type RelayedFrame =
  | {
      /** Members; their sockets that listen to everything, or to this chat. */
      readonly to: readonly string[];
      readonly chatId: string;
      readonly type: string;
      readonly payload: Payload;
    }
  | {
      /** Everybody who joined a chat with this member. */
      readonly aboutMember: string;
      readonly type: string;
      readonly payload: Payload;
    };

const EVENT = 'relay';
/** Postgres refuses notifications of 8,000 bytes; larger ones go through a table. */
const NOTIFICATION_BYTES_MAX = 7_500;

/** Socket.IO's server, and the relay between the sockets of different processes (`@socket.io/postgres-adapter`). */
@Injectable()
export class Relay {
  private readonly logger = new Logger(Relay.name);
  private server: LiveServer | undefined;
  private database: RelayDatabase | undefined;
  private isClosing = false;

  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly listener: ChannelListener,
    private readonly sockets: LiveSockets,
  ) {}

  /** Creates the Socket.IO server and begins to listen to other processes. */
  open(): LiveServer {
    this.database = new RelayDatabase(this.pool, this.listener);
    const server: LiveServer = new Server({
      serveClient: false,
      connectTimeout: HEARTBEAT_TIMEOUT_MS,
      parser: frameParser,
      adapter: createAdapter(this.database as never, {
        payloadThreshold: NOTIFICATION_BYTES_MAX,
        errorHandler: (error) => this.lost(error),
      }),
    });
    server.on(EVENT, (frame: RelayedFrame) => this.deliver(frame));
    this.server = server;
    return server;
  }

  async close(): Promise<void> {
    this.isClosing = true;
    await this.server?.close();
    this.database?.end();
  }

  publish(frame: RelayedFrame): void {
    this.deliver(frame);
    if (this.server && this.hasOthers(this.server)) this.server.serverSideEmit(EVENT, frame);
  }

  /** The adapter sends its last frame after everything has ended; nobody waits for it. */
  private lost(error: Error): void {
    if (!this.isClosing) this.logger.warn({ err: error }, 'a frame for other processes was lost');
  }

  private deliver(frame: RelayedFrame): void {
    const { type, payload } = frame;
    if ('aboutMember' in frame) {
      this.sockets.tellAbout(frame.aboutMember, type, payload);
      return;
    }
    for (const memberId of frame.to) this.sockets.tell(memberId, frame.chatId, type, payload);
  }

  /** A process that runs alone need not use Postgres. The adapter learns of other processes by their heartbeats. */
  private hasOthers(server: LiveServer): boolean {
    const { adapter } = server.of('/');
    const nodes: unknown = 'nodesMap' in adapter ? adapter.nodesMap : undefined;
    return !(nodes instanceof Map) || nodes.size > 0;
  }
}
