import { Injectable } from '@nestjs/common';
import { TYPING_EXPIRES_MS, TYPING_NOTICE_MS } from './limits.js';
import type { LiveSocket } from './live-socket.js';
import { Relay } from './relay.js';

interface State {
  readonly otherId: string;
  toldAt: number;
  expiry: NodeJS.Timeout;
}

/** Who is typing in which chat. The other side is told at intervals; typing ends by itself when it is not renewed. */
@Injectable()
export class Typing {
  private readonly states = new Map<LiveSocket, Map<string, State>>();

  constructor(private readonly relay: Relay) {}

  start(socket: LiveSocket, { chatId, otherId }: { chatId: string; otherId: string }): void {
    const now = performance.now();
    const known = this.states.get(socket)?.get(chatId);
    clearTimeout(known?.expiry);
    const isDue = known === undefined || now - known.toldAt >= TYPING_NOTICE_MS;
    const expiry = setTimeout(() => this.stop(socket, chatId), TYPING_EXPIRES_MS);
    const state = { otherId, toldAt: isDue ? now : known.toldAt, expiry };
    const chats = this.states.get(socket) ?? new Map<string, State>();
    this.states.set(socket, chats.set(chatId, state));
    if (isDue) this.tell(socket.data.member.id, chatId, otherId, true);
  }

  stop(socket: LiveSocket, chatId: string): void {
    const state = this.forget(socket, chatId);
    if (state) this.tell(socket.data.member.id, chatId, state.otherId, false);
  }

  /** For typing that ended with a message, which tells the other side by itself. */
  forget(socket: LiveSocket, chatId: string): State | undefined {
    const chats = this.states.get(socket);
    const state = chats?.get(chatId);
    clearTimeout(state?.expiry);
    chats?.delete(chatId);
    if (chats?.size === 0) this.states.delete(socket);
    return state;
  }

  /** Called when the socket is gone. */
  left(socket: LiveSocket): void {
    for (const chatId of this.states.get(socket)?.keys() ?? []) this.stop(socket, chatId);
  }

  private tell(userId: string, chatId: string, otherId: string, typing: boolean): void {
    this.relay.publish({ to: [otherId], chatId, type: 'user_typing', payload: { chatId, userId, typing } });
  }
}
