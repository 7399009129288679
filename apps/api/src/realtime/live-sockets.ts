import { Injectable } from '@nestjs/common';
import type { LiveSocket, Payload } from './live-socket.js';
import { put, take } from './sets-by-key.js';

const NONE: ReadonlySet<LiveSocket> = new Set();

/** The sockets of this process, by member and by whose presence they follow. */
@Injectable()
export class LiveSockets {
  private readonly byMember = new Map<string, Set<LiveSocket>>();
  private readonly watchers = new Map<string, Set<LiveSocket>>();

  /** True when it is the member's first. */
  add(socket: LiveSocket): boolean {
    return put(this.byMember, socket.memberId, socket) === 1;
  }

  /** True when it was the member's last. */
  remove(socket: LiveSocket): boolean {
    for (const partner of socket.partners()) take(this.watchers, partner, socket);
    return take(this.byMember, socket.memberId, socket);
  }

  /** From now on the socket hears what happens in this chat; one that was closed meanwhile is not kept. */
  join(socket: LiveSocket, chatId: string, otherId: string): void {
    if (!this.of(socket.memberId).has(socket)) return;
    const left = socket.join(chatId, otherId);
    if (left !== undefined && !socket.partners().includes(left)) take(this.watchers, left, socket);
    put(this.watchers, otherId, socket);
  }

  of(memberId: string): ReadonlySet<LiveSocket> {
    return this.byMember.get(memberId) ?? NONE;
  }

  has(memberId: string): boolean {
    return this.byMember.has(memberId);
  }

  /** Sockets that joined a chat with this member. */
  watching(memberId: string): ReadonlySet<LiveSocket> {
    return this.watchers.get(memberId) ?? NONE;
  }

  /** How many members are connected here. */
  get size(): number {
    return this.byMember.size;
  }

  members(): string[] {
    return [...this.byMember.keys()];
  }

  *all(): Generator<LiveSocket> {
    for (const sockets of this.byMember.values()) yield* sockets;
  }

  /** To every socket of a member that listens to everything, or to this chat. */
  tell(memberId: string, chatId: string, type: string, payload: Payload): void {
    for (const socket of this.of(memberId)) if (socket.hears(chatId)) socket.send(type, payload);
  }
}
