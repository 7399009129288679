import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { parseCookie } from 'cookie';
import { Sessions } from '../identity/sessions.js';
import type { SignedInMember } from '../platform/auth/member.js';
import { type Config, InjectConfig } from '../platform/config.js';
import { AppError, notFound, unauthenticated } from '../platform/errors/app-error.js';
import { canonicalAddress } from '../platform/http/address.js';
import { isOurOrigin, connectionReader } from '../platform/http/origin.js';
import { POLLING_PATH, REALTIME_PATH, SOCKETS_PER_MEMBER_MAX } from './limits.js';

/** The member who opens a live connection, by the session cookie. */
export interface Handshake {
  readonly member: SignedInMember;
  readonly sessionToken: string;
}

/** The target of a request: `elsewhere` is an address below `/ws` where nothing is. */
export interface Target {
  readonly place: 'here' | 'elsewhere';
  readonly protocol: 'plain' | 'socket.io';
  /** The Engine.IO session that the request continues; empty if it opens a connection. */
  readonly sid: string;
  /** With the question mark, or empty. */
  readonly query: string;
}

/**
 * Reads the target of a request without trusting its form (`//`, a whole address, nothing at all). Undefined if the
 * request is not for the live connection.
 */
export function targetOf(url: string | undefined): Target | undefined {
  const [path = '', query] = canonicalAddress(url ?? '').split(/\?(.*)/s, 2);
  const clean = path.replace(/\/{2,}/g, '/');
  if (clean !== REALTIME_PATH && !clean.startsWith(`${REALTIME_PATH}/`)) return undefined;
  const parameters = new URLSearchParams(query);
  const isSocketIo = parameters.has('EIO');
  return {
    place: clean === REALTIME_PATH || clean === `${REALTIME_PATH}/` ? 'here' : 'elsewhere',
    protocol: isSocketIo ? 'socket.io' : 'plain',
    // If there are several, Engine.IO uses the last one.
    sid: (isSocketIo ? parameters.getAll('sid').at(-1) : undefined) ?? '',
    query: query === undefined ? '' : `?${query}`,
  };
}

/** The beginning that only requests for the live connection have, in any form. */
const LIVE = /^\/+ws(?:[/?]|$)/;

/**
 * The address by which the router finds a request. All of Socket.IO's polling has one route, and nothing else reaches
 * it: other requests are answered like any unknown address.
 */
export function routedAddress(address: string): string {
  const target = LIVE.test(address) ? targetOf(address) : undefined;
  if (!target) return address;
  if (target.protocol === 'socket.io') return `${POLLING_PATH}${target.query}`;
  return target.place === 'here' ? `${REALTIME_PATH}${target.query}` : address;
}

/** Decides who may open a live connection: the session cookie alone (rule realtime-2). */
@Injectable()
export class Entrance {
  private readonly publicOrigin: string;
  private readonly connection: ReturnType<typeof connectionReader>;
  /** The handshakes of connections that have not ended, by member. */
  private readonly inside = new Map<string, Set<Handshake>>();

  constructor(
    @InjectConfig() config: Config,
    private readonly sessions: Sessions,
  ) {
    this.publicOrigin = new URL(config.publicUrl).origin;
    this.connection = connectionReader(config.trustProxy);
  }

  /** @throws AppError 401 nobody is signed in, 403 another site asks, 429 too many attempts from the same network */
  async admit(request: IncomingMessage): Promise<Handshake> {
    const { headers } = request;
    const reached = { host: headers.host, protocol: this.connection.schemeOf(request) };
    // Browsers always send it with an upgrade; a client that does not is no page.
    if (headers.origin !== undefined && !isOurOrigin(headers.origin, this.publicOrigin, reached)) {
      throw new AppError(403, 'FOREIGN_ORIGIN', 'This request comes from another site and was refused.');
    }
    // Opening a connection does not count as using a session: pages that nobody touches reconnect by themselves.
    const cookies = parseCookie(headers.cookie ?? '');
    const found = await this.sessions.ofBrowser((name) => cookies[name], this.connection.addressOf(request));
    if (!found) throw unauthenticated();
    return found;
  }

  /** A connection counts from its handshake until it leaves. @throws AppError 429 the member has too many */
  enter(handshake: Handshake): void {
    const { id } = handshake.member;
    const inside = this.inside.get(id) ?? new Set();
    if (inside.size >= SOCKETS_PER_MEMBER_MAX) {
      throw new AppError(429, 'TOO_MANY_SOCKETS', 'Too many live connections are open. Close some pages first.');
    }
    this.inside.set(id, inside.add(handshake));
  }

  leave(handshake: Handshake): void {
    const { id } = handshake.member;
    const inside = this.inside.get(id);
    inside?.delete(handshake);
    if (inside?.size === 0) this.inside.delete(id);
  }
}

export const nothingHere = (): AppError => notFound('What this address names');
