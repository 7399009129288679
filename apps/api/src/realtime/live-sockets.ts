import { Injectable } from '@nestjs/common';
import type { LiveServer, LiveSocket, Payload } from './live-socket.js';

type Rooms = ReadonlyMap<string, ReadonlySet<string>>;

const NO_ROOMS: Rooms = new Map();

/** The rooms of Socket.IO's server. The room of a session is named by the hash of its token. */
const roomOf = {
  member: (id: string) => `member:${id}`,
  device: (id: string) => `device:${id}`,
  session: (hash: string) => `session:${hash}`,
  /** A member's sockets that listen to everything. */
  everything: (memberId: string) => `everything:${memberId}`,
  /** A member's sockets that joined the chat. */
  chat: (memberId: string, chatId: string) => `chat:${chatId}:${memberId}`,
  /** Sockets that joined a chat with this member. */
  about: (memberId: string) => `about:${memberId}`,
} as const;

const MEMBER = roomOf.member('');

/** The sockets of this process, by room. Other processes are never asked. */
@Injectable()
export class LiveSockets {
  private server: LiveServer | undefined;

  serve(server: LiveServer): void {
    this.server = server;
  }

  /** True if it is the member's first socket here. */
  add(socket: LiveSocket): boolean {
    const { member, session } = socket.data;
    const isFirst = !this.has(member.id);
    void socket.join([roomOf.member(member.id), roomOf.device(member.deviceId), roomOf.session(session)]);
    return isFirst;
  }

  /** Lets the socket hear everything that concerns its member. */
  joinEverything(socket: LiveSocket): void {
    void socket.join(roomOf.everything(socket.data.member.id));
  }

  /** Lets the socket hear what happens in this chat, and whether the other side is online. */
  joinChat(socket: LiveSocket, chatId: string, otherId: string): void {
    void socket.join([roomOf.chat(socket.data.member.id, chatId), roomOf.about(otherId)]);
  }

  /** @param isLast the socket is in no other chat with this member */
  leaveChat(
    socket: LiveSocket,
    { chatId, otherId, isLast }: { chatId: string; otherId: string; isLast: boolean },
  ): void {
    void socket.leave(roomOf.chat(socket.data.member.id, chatId));
    if (isLast) void socket.leave(roomOf.about(otherId));
  }

  has(memberId: string): boolean {
    return this.rooms.has(roomOf.member(memberId));
  }

  of(memberId: string): ReadonlySet<LiveSocket> {
    return this.in(roomOf.member(memberId));
  }

  ofDevice(deviceId: string): ReadonlySet<LiveSocket> {
    return this.in(roomOf.device(deviceId));
  }

  ofSession(hash: string): ReadonlySet<LiveSocket> {
    return this.in(roomOf.session(hash));
  }

  /** A member's sockets that listen to everything, or to this chat. */
  hearing(memberId: string, chatId: string): ReadonlySet<LiveSocket> {
    return this.in(roomOf.everything(memberId), roomOf.chat(memberId, chatId));
  }

  all(): LiveSocket[] {
    return [...(this.server?.sockets.sockets.values() ?? [])];
  }

  /** How many sockets are open here. */
  get size(): number {
    return this.server?.sockets.sockets.size ?? 0;
  }

  /** The members who are connected here. */
  members(): string[] {
    return [...this.rooms.keys()].flatMap((room) => (room.startsWith(MEMBER) ? [room.slice(MEMBER.length)] : []));
  }

  /** Tells a member's sockets that listen to everything, or to this chat. */
  tell(memberId: string, chatId: string, type: string, payload: Payload): void {
    this.emit([roomOf.everything(memberId), roomOf.chat(memberId, chatId)], type, payload);
  }

  /** Tells a member's sockets that listen to everything. */
  tellEverywhere(memberId: string, type: string, payload: Payload): void {
    this.emit([roomOf.everything(memberId)], type, payload);
  }

  /** Tells sockets that joined a chat with this member. */
  tellAbout(memberId: string, type: string, payload: Payload): void {
    this.emit([roomOf.about(memberId)], type, payload);
  }

  /**
   * Sends to this process's sockets only: at once and in order. Socket.IO's adapter is neither when it asks Postgres
   * first.
   */
  private emit(rooms: string[], type: string, payload: Payload): void {
    if (rooms.some((room) => this.rooms.has(room))) this.server?.local.to(rooms).emit(type, payload);
  }

  private in(...rooms: string[]): Set<LiveSocket> {
    const sockets = new Set<LiveSocket>();
    for (const room of rooms) {
      for (const id of this.rooms.get(room) ?? []) {
        const socket = this.server?.sockets.sockets.get(id);
        if (socket) sockets.add(socket);
      }
    }
    return sockets;
  }

  private get rooms(): Rooms {
    return this.server?.sockets.adapter.rooms ?? NO_ROOMS;
  }
}
