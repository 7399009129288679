import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { LiveSockets } from './live-sockets.js';
import { PresenceStore } from './presence-store.js';
import { Relay } from './relay.js';

/** Several heartbeats fit into the time after which a process counts as gone (`presence-store.ts`). */
const HEARTBEAT_MS = 1_000;
/** Members who come and go within this time are written together. */
const WRITE_AFTER_MS = 20;
/** A reloaded page is back within this time, so nobody sees its member leave. */
const LEAVES_AFTER_MS = 3_000;

/** Who is shown online. */
@Injectable()
export class Presence implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Presence.name);
  private readonly changed = new Set<string>();
  private readonly leaving = new Map<string, NodeJS.Timeout>();
  private writing: Promise<void> = Promise.resolve();
  private writeTimer: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private beating = false;

  constructor(
    private readonly store: PresenceStore,
    private readonly sockets: LiveSockets,
    private readonly relay: Relay,
  ) {}

  /** The members among these who are shown online: connected at any server, with their setting on. */
  async areOnline(memberIds: readonly string[]): Promise<Set<string>> {
    return memberIds.length === 0 ? new Set() : this.store.onlineAmong(memberIds);
  }

  /** The members among these who are connected at any server, however they are shown. */
  async areConnected(memberIds: readonly string[]): Promise<Set<string>> {
    return memberIds.length === 0 ? new Set() : this.store.connectedAmong(memberIds);
  }

  /** Called when a member's setting changed: tells their chat partners how they are shown now. */
  settingChanged(memberId: string): void {
    this.writing = this.writing.then(() => this.quietly(() => this.announce([memberId])));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.store.heartbeat();
    this.heartbeat = setInterval(() => void this.beat(), HEARTBEAT_MS);
  }

  /** Other processes remove this one's members, and announce that, once the members had time to reconnect elsewhere. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.heartbeat);
    clearTimeout(this.writeTimer);
    for (const timer of this.leaving.values()) clearTimeout(timer);
    await this.writing;
  }

  /** Called with the member's first socket here. */
  connected(memberId: string): void {
    const timer = this.leaving.get(memberId);
    clearTimeout(timer);
    this.leaving.delete(memberId);
    if (timer === undefined) this.write(memberId);
  }

  /** Called when the member's last socket here is gone. */
  disconnected(memberId: string): void {
    const timer = setTimeout(() => {
      this.leaving.delete(memberId);
      this.write(memberId);
    }, LEAVES_AFTER_MS);
    this.leaving.set(memberId, timer.unref());
  }

  private write(memberId: string): void {
    this.changed.add(memberId);
    this.writeTimer ??= setTimeout(() => {
      this.writeTimer = undefined;
      this.writing = this.writing.then(() => this.quietly(() => this.writeChanged()));
    }, WRITE_AFTER_MS);
  }

  private async writeChanged(): Promise<void> {
    const members = [...this.changed];
    this.changed.clear();
    if (members.length === 0) return;
    const here = members.filter((id) => this.sockets.has(id));
    const gone = members.filter((id) => !this.sockets.has(id));
    try {
      if (here.length > 0) await this.store.add(here);
      if (gone.length > 0) await this.store.remove(gone);
    } catch (error) {
      // Written again with the next heartbeat.
      for (const id of members) this.changed.add(id);
      throw error;
    }
    await this.announceShown(members);
  }

  /** Announces the members who came or went. */
  private async announceShown(memberIds: readonly string[]): Promise<void> {
    if (memberIds.length > 0) await this.announce(await this.store.shownAmong(memberIds));
  }

  private async announce(memberIds: readonly string[]): Promise<void> {
    if (memberIds.length === 0) return;
    const online = await this.areOnline(memberIds);
    for (const userId of memberIds) {
      const payload = { userId, isOnline: online.has(userId) };
      this.relay.publish({ aboutMember: userId, type: 'presence', payload });
    }
  }

  private async beat(): Promise<void> {
    if (this.beating) return;
    this.beating = true;
    await this.quietly(async () => {
      if (await this.store.heartbeat()) await this.store.add(this.sockets.members());
      await this.writeChanged();
      await this.announceShown(await this.store.takeAwayGone());
    });
    this.beating = false;
  }

  /** Presence is not essential: failures are logged, and the next heartbeat repairs them. */
  private async quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn({ err: error }, 'presence could not be kept up');
    }
  }
}
