import { Injectable, Logger } from '@nestjs/common';
import { createAdapter } from '@socket.io/postgres-adapter';
import { ChannelListener } from '@app/event-store';
import type { Pool } from 'pg';
import { Server } from 'socket.io';
import { InjectPool } from '../platform/database/database.module.js';
import { frameParser } from './frame-decoder.js';
import { HEARTBEAT_TIMEOUT_MS } from './limits.js';
import { LiveSockets } from './live-sockets.js';
import type { LiveServer, Payload } from './live-socket.js';
import { RelayDatabase } from './relay-database.js';

/** A frame of the moment (typing, presence, signalling) for sockets wherever they are connected. */
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

/** Socket.IO's server and the way from one process's sockets to another's (`@socket.io/postgres-adapter`). */
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

  /** Makes the Socket.IO server and begins to hear other processes. */
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

  /** The adapter's last word comes when everything has ended already; nobody waits for it. */
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

  /** Alone, a process need not bother Postgres. The adapter learns of others by their heartbeats. */
  private hasOthers(server: LiveServer): boolean {
    const { adapter } = server.of('/');
    const nodes: unknown = 'nodesMap' in adapter ? adapter.nodesMap : undefined;
    return !(nodes instanceof Map) || nodes.size > 0;
  }
}
