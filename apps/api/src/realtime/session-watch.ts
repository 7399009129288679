import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type IdentityChange, IdentityChanges } from '../identity/identity-changes.js';
import { Sessions } from '../identity/sessions.js';
import { SESSION_CHECK_MS } from './limits.js';
import { endSocket, type LiveSocket } from './live-socket.js';
import { LiveSockets } from './live-sockets.js';

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
