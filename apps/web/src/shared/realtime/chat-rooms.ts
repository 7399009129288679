import { serverNowMs } from '@/shared/api/server-clock';
import type { RealtimeConnection } from './connection';
import { Drafts } from './drafts';
import type { ErrorFrame, ServerFrames } from './frames';
import { Outbox, type OutgoingMessage } from './outbox';

/** Typing stop is sent this long after the last key press (rule realtime-15). */
export const TYPING_STOP_MS = 3_000;
/** While somebody keeps typing, the server is told again this often; the notice that it sends lasts a little longer. */
const TYPING_RENEW_MS = 2_000;
const TYPING_SHOWN_MS = 6_500;

export interface RoomState {
  /** The server has admitted this page on the present connection. */
  readonly joined: boolean;
  /** The member's messages that have not come back as messages of the chat, oldest first. */
  readonly outgoing: readonly OutgoingMessage[];
  readonly otherIsTyping: boolean;
}

/** Temporary failures: the message is sent again under its id, which the server accepts once. */
const PASSING = new Set(['BUSY', 'JOURNAL_STOPPED', 'UNAVAILABLE', 'OUTCOME_UNKNOWN', 'TOO_MANY_REQUESTS']);
export const SEND_AGAIN_MS = 2_000;
const SENDS_AGAIN_MAX = 5;

interface Room {
  users: number;
  /**
   * The newest message that this page has, null for none: the server sends what came after it. Undefined until loaded.
   */
  lastMessageId: string | null | undefined;
  loaded: boolean;
  state: RoomState;
  typingSentAt: number | undefined;
  typingStop?: ReturnType<typeof setTimeout>;
  typingShown?: ReturnType<typeof setTimeout>;
}

/** Called with the server's sentence. */
type FailureListener = (message: string) => void;

export const EMPTY: RoomState = { joined: false, outgoing: [], otherIsTyping: false };

export interface ChatRoomsOptions {
  readonly connection: RealtimeConnection;
  readonly userId: string;
  readonly newId: () => string;
}

/**
 * The chats that this page shows, over the one connection. After each loss they are joined again, and unacknowledged
 * messages are sent again.
 */
export class ChatRooms {
  private readonly connection: RealtimeConnection;
  private readonly rooms = new Map<string, Room>();
  private readonly outbox = new Outbox();
  private readonly drafts: Drafts;
  private readonly triesAgain = new Map<string, number>();
  private readonly listeners = new Set<() => void>();
  private readonly failureListeners = new Set<FailureListener>();

  constructor(private readonly options: ChatRoomsOptions) {
    const { connection, userId } = options;
    this.drafts = new Drafts(userId);
    this.connection = connection;
    connection.onOpen(() => this.resume());
    connection.onStatus(() => this.leftAll());
    connection.on('joined', ({ chatId }) => this.change(chatId, { joined: true }));
    connection.on('new_message', ({ message }) => this.received(message));
    connection.on('message_ack', ({ clientMessageId }) => this.acknowledged(clientMessageId));
    connection.on('user_typing', (frame) => this.typing(frame));
    connection.on('error', (frame) => this.refused(frame));
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * Called for every message that failed, even if its chat is no longer shown. Returns the function that stops
   * listening.
   */
  onFailed(listener: FailureListener): () => void {
    this.failureListeners.add(listener);
    return () => this.failureListeners.delete(listener);
  }

  state(chatId: string): RoomState {
    return this.rooms.get(chatId)?.state ?? EMPTY;
  }

  /** Whether this page shows the chat. */
  isShown(chatId: string): boolean {
    return this.rooms.has(chatId);
  }

  /** Joins the chat, now and on every later connection, until the returned function is called. */
  enter(chatId: string): () => void {
    const room = this.rooms.get(chatId) ?? {
      users: 0,
      lastMessageId: undefined,
      loaded: false,
      state: { ...EMPTY, outgoing: this.outbox.ofChat(chatId) },
      typingSentAt: undefined,
    };
    room.users += 1;
    this.rooms.set(chatId, room);
    if (room.users === 1) this.join(chatId, room);
    return () => {
      room.users -= 1;
      if (room.users > 0) return;
      this.stopTyping(chatId);
      clearTimeout(room.typingShown);
      this.rooms.delete(chatId);
    };
  }

  /**
   * The newest message of the chat as it was loaded, null for none: the server then sends what was said between loading
   * and joining.
   */
  loadedThrough(chatId: string, messageId: string | null): void {
    const room = this.rooms.get(chatId);
    if (!room || room.loaded) return;
    room.loaded = true;
    this.connection.send({ type: 'join_chat', chatId, after: messageId });
    room.lastMessageId ??= messageId;
  }

  /** What the member has typed and not sent, kept while they look at other pages or reload this one. */
  draft(chatId: string): string {
    return this.drafts.of(chatId);
  }

  keepDraft(chatId: string, text: string): void {
    this.drafts.keep(chatId, text);
  }

  /**
   * Sends a message; without a connection it waits for the next one. Undefined if the text is blank (rule chats-30).
   */
  send(chatId: string, text: string): string | undefined {
    const trimmed = text.trim();
    if (trimmed === '') return undefined;
    const clientMessageId = this.options.newId();
    this.outbox.add({ clientMessageId, chatId, text: trimmed, writtenAt: new Date(serverNowMs()).toISOString() });
    this.stopTyping(chatId);
    if (this.connection.send({ type: 'chat_message', chatId, text: trimmed, clientMessageId })) {
      this.connection.expectAnswer();
    }
    this.outgoingChanged(chatId);
    return clientMessageId;
  }

  /** Sends a failed message again. */
  retry(clientMessageId: string): void {
    const message = this.outbox.retry(clientMessageId);
    if (!message) return;
    this.sendAgain(message);
    this.outgoingChanged(message.chatId);
  }

  /** Forgets a failed message. */
  discard(clientMessageId: string): void {
    this.settled(clientMessageId);
  }

  /** Call this at every key press: the other side sees the typing until 3 seconds after the last one. */
  keyPressed(chatId: string): void {
    const room = this.rooms.get(chatId);
    if (!room) return;
    const now = Date.now();
    if (room.typingSentAt === undefined || now - room.typingSentAt >= TYPING_RENEW_MS) {
      room.typingSentAt = now;
      this.connection.send({ type: 'typing_start', chatId });
    }
    clearTimeout(room.typingStop);
    room.typingStop = setTimeout(() => this.stopTyping(chatId), TYPING_STOP_MS);
  }

  private stopTyping(chatId: string): void {
    const room = this.rooms.get(chatId);
    if (room?.typingSentAt === undefined) return;
    clearTimeout(room.typingStop);
    room.typingSentAt = undefined;
    this.connection.send({ type: 'typing_stop', chatId });
  }

  private join(chatId: string, { lastMessageId }: Room): void {
    this.connection.send({
      type: 'join_chat',
      chatId,
      ...(lastMessageId === undefined ? {} : { after: lastMessageId }),
    });
  }

  private resume(): void {
    for (const [chatId, room] of this.rooms) this.join(chatId, room);
    for (const message of this.outbox.waiting()) this.sendAgain(message);
  }

  private sendAgain({ chatId, text, clientMessageId }: OutgoingMessage): void {
    this.connection.send({ type: 'chat_message', chatId, text, clientMessageId });
  }

  private leftAll(): void {
    if (this.connection.status === 'connected') return;
    for (const [chatId, room] of this.rooms) {
      room.typingSentAt = undefined;
      this.change(chatId, { joined: false, otherIsTyping: false });
    }
  }

  private received({ id, chatId, senderId, clientMessageId }: ServerFrames['new_message']['message']): void {
    const room = this.rooms.get(chatId);
    if (room) room.lastMessageId = id;
    if (senderId === this.options.userId) this.settled(clientMessageId);
    else this.change(chatId, { otherIsTyping: false });
  }

  private acknowledged(clientMessageId: string | null): void {
    if (clientMessageId === null) return;
    this.triesAgain.delete(clientMessageId);
    const chatId = this.outbox.acknowledge(clientMessageId);
    if (chatId !== undefined) this.outgoingChanged(chatId);
  }

  private settled(clientMessageId: string | null): void {
    if (clientMessageId === null) return;
    this.triesAgain.delete(clientMessageId);
    const chatId = this.outbox.settle(clientMessageId);
    if (chatId !== undefined) this.outgoingChanged(chatId);
  }

  private refused({ clientMessageId, code, message }: ErrorFrame): void {
    if (clientMessageId === undefined) return;
    if (PASSING.has(code) && this.sendsAgainLater(clientMessageId)) return;
    const chatId = this.outbox.fail(clientMessageId, message);
    if (chatId === undefined) return;
    this.outgoingChanged(chatId);
    for (const listener of this.failureListeners) listener(message);
  }

  /** False once it was tried often enough. */
  private sendsAgainLater(clientMessageId: string): boolean {
    const tries = (this.triesAgain.get(clientMessageId) ?? 0) + 1;
    if (tries > SENDS_AGAIN_MAX) {
      this.triesAgain.delete(clientMessageId);
      return false;
    }
    this.triesAgain.set(clientMessageId, tries);
    setTimeout(() => {
      const message = this.outbox.waiting().find((each) => each.clientMessageId === clientMessageId);
      if (message) this.sendAgain(message);
    }, SEND_AGAIN_MS);
    return true;
  }

  private typing({ chatId, userId, typing }: ServerFrames['user_typing']): void {
    const room = this.rooms.get(chatId);
    if (!room || userId === this.options.userId) return;
    clearTimeout(room.typingShown);
    this.change(chatId, { otherIsTyping: typing });
    if (typing) room.typingShown = setTimeout(() => this.change(chatId, { otherIsTyping: false }), TYPING_SHOWN_MS);
  }

  private outgoingChanged(chatId: string): void {
    this.change(chatId, { outgoing: this.outbox.ofChat(chatId) });
  }

  private change(chatId: string, change: Partial<RoomState>): void {
    const room = this.rooms.get(chatId);
    if (!room) return;
    room.state = { ...room.state, ...change };
    for (const listener of this.listeners) listener();
  }
}
