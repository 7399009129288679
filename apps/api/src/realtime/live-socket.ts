import type { SignedInMember } from '../platform/auth/member.js';
import { CHATS_PER_SOCKET_MAX, type CloseReason } from './limits.js';

export type Payload = Readonly<Record<string, unknown>>;

/** One of the two protocols, as far as a socket's user needs it. */
export interface Transport {
  send(type: string, payload: Payload): void;
  close(reason: CloseReason, sentence: string): void;
  /** Cuts the connection: nobody is asked. */
  terminate(): void;
}

/** Who opened a socket, as the session cookie said. */
export interface Handshake {
  readonly member: SignedInMember;
  readonly sessionToken: string;
}

/** A chat that a socket joined. */
interface JoinedChat {
  readonly otherId: string;
  /** Revision of the newest message of the chat that went to this socket. */
  through: number;
  /** Messages that came while older ones were being read. */
  heldBack: { revision: number; payload: Payload }[] | undefined;
}

let socketsMade = 0;

/** One connection of a member, of either protocol. */
export class LiveSocket {
  readonly id = `${process.pid}-${(socketsMade += 1)}`;
  readonly memberId: string;
  isGlobal = false;
  private readonly chats = new Map<string, JoinedChat>();

  constructor(
    readonly handshake: Handshake,
    private readonly transport: Transport,
  ) {
    this.memberId = handshake.member.id;
  }

  send(type: string, payload: Payload): void {
    this.transport.send(type, payload);
  }

  close(reason: CloseReason, sentence: string): void {
    this.transport.close(reason, sentence);
  }

  terminate(): void {
    this.transport.terminate();
  }

  /** Who is on the other side of the chats that it joined. */
  partners(): string[] {
    return [...this.chats.values()].map(({ otherId }) => otherId);
  }

  partnerIn(chatId: string): string | undefined {
    return this.chats.get(chatId)?.otherId;
  }

  hears(chatId: string): boolean {
    return this.isGlobal || this.chats.has(chatId);
  }

  /** Joins a chat; whoever joined the most other ones leaves the oldest. Answers the other side of the one left. */
  join(chatId: string, otherId: string): string | undefined {
    const through = this.chats.get(chatId)?.through ?? -1;
    this.chats.delete(chatId);
    this.chats.set(chatId, { otherId, through, heldBack: undefined });
    if (this.chats.size <= CHATS_PER_SOCKET_MAX) return undefined;
    const [oldest] = this.chats;
    if (!oldest) return undefined;
    this.chats.delete(oldest[0]);
    return oldest[1].otherId;
  }

  /** A message as it happens: once, and after those that are being read. */
  sendMessage(chatId: string, revision: number, payload: Payload): void {
    const chat = this.chats.get(chatId);
    if (chat?.heldBack) {
      chat.heldBack.push({ revision, payload });
      return;
    }
    if (chat) {
      if (revision <= chat.through) return;
      chat.through = revision;
    }
    this.send('new_message', payload);
  }

  /** Sends what `read` finds before anything that happens meanwhile. */
  async replay(
    chatId: string,
    read: () => Promise<readonly { readonly revision: number; readonly payload: Payload }[]>,
  ): Promise<void> {
    const chat = this.chats.get(chatId);
    if (!chat) return;
    const heldBack: JoinedChat['heldBack'] = [];
    chat.heldBack = heldBack;
    try {
      for (const { revision, payload } of await read()) {
        this.send('new_message', payload);
        chat.through = Math.max(chat.through, revision);
      }
    } finally {
      chat.heldBack = undefined;
      for (const { revision, payload } of heldBack) this.sendMessage(chatId, revision, payload);
    }
  }
}
