import { type ClientFrame, type FrameHandler, parseFrame, type ServerFrames, type ServerFrameType } from './frames';

/** Remembers the newest ids, so that a repeated message counts once. */
class RecentIds {
  private readonly ids = new Set<string>();

  constructor(private readonly max: number) {}

  /** True if this id is new. */
  add(id: string): boolean {
    if (this.ids.has(id)) return false;
    this.ids.add(id);
    for (const oldest of this.ids) {
      if (this.ids.size <= this.max) break;
      this.ids.delete(oldest);
    }
    return true;
  }
}

/** The pause between a close and the next attempt (rule realtime-14). */
export const RECONNECT_MS = 5_000;

/** The session ended; another may have replaced it, if the same member signed in in another tab. */
export const SESSION_ENDED = 4401;

const NORMAL_CLOSURE = 1000;
const GOING_AWAY = 1001;

/** The client reconnects after a close with any code other than 1000 or 1001 (rule realtime-14). */
const reconnectsAfter = (code: number): boolean => code !== NORMAL_CLOSURE && code !== GOING_AWAY;

export type ConnectionStatus = 'connecting' | 'connected' | 'closed';

/** Finds idle connections that died: sends a ping, and expects some frame within the wait for its answer. */
const PING_EVERY_MS = 25_000;
const ANSWER_WITHIN_MS = 10_000;
const SEEN_MESSAGES_MAX = 5_000;

/** The part of a browser's WebSocket that this client uses. */
export type Socket = Pick<WebSocket, 'send' | 'close' | 'addEventListener'>;

export interface ConnectionOptions {
  readonly userId: string;
  readonly openSocket: () => Socket;
  /** The server may no longer know this session; the caller asks it. */
  readonly onSessionDoubt: () => void;
}

type Listener = () => void;

/**
 * The live connection of a signed-in member, which reconnects 5 seconds after a loss (rule realtime-14). Each message
 * is passed on once, even if the server repeats it.
 */
export class RealtimeConnection {
  private socket: Socket | undefined;
  /** Aborting it ends listening to the present socket. */
  private listening = new AbortController();
  private state: ConnectionStatus = 'closed';
  private reconnecting: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private answerDue: ReturnType<typeof setTimeout> | undefined;
  /** Whether the present outage was reported. */
  private isToldOf = false;
  private readonly seen = new RecentIds(SEEN_MESSAGES_MAX);
  private readonly statusListeners = new Set<Listener>();
  private readonly openListeners = new Set<Listener>();
  private readonly handlers = new Map<string, Set<(frame: never) => void>>();

  constructor(private readonly options: ConnectionOptions) {}

  get status(): ConnectionStatus {
    return this.state;
  }

  open(): void {
    if (this.socket) return;
    clearTimeout(this.reconnecting);
    this.setStatus('connecting');
    const socket = this.options.openSocket();
    this.socket = socket;
    const listening = new AbortController();
    this.listening = listening;
    let opened = false;
    const listen: Socket['addEventListener'] = (type: string, listener: EventListenerOrEventListenerObject) =>
      socket.addEventListener(type, listener, { signal: listening.signal });
    listen('open', () => {
      opened = true;
      this.opened();
    });
    listen('message', ({ data }) => this.received(data));
    listen('close', ({ code }) => this.lost(code, opened));
  }

  /** The browser says that the network is gone: the socket, which would notice only later, counts as lost. */
  networkLost(): void {
    if (this.socket) this.abandonSocket();
  }

  /** Closes for good: nothing is sent or heard any more. */
  close(): void {
    clearTimeout(this.reconnecting);
    this.forgetSocket()?.close(1000);
    this.setStatus('closed');
  }

  /** False if nothing was sent because there is no connection. */
  send(frame: ClientFrame): boolean {
    if (this.state !== 'connected' || !this.socket) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Returns the function that stops listening. */
  on<T extends ServerFrameType>(type: T, handler: FrameHandler<T>): () => void {
    const handlers = this.handlers.get(type) ?? new Set();
    this.handlers.set(type, handlers.add(handler));
    return () => handlers.delete(handler);
  }

  /** Called after every connect, the first included. */
  onOpen(listener: Listener): () => void {
    this.openListeners.add(listener);
    return () => this.openListeners.delete(listener);
  }

  onStatus = (listener: Listener): (() => void) => {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  };

  private opened(): void {
    this.isToldOf = false;
    this.setStatus('connected');
    this.send({ type: 'join_global', userId: this.options.userId });
    for (const listener of this.openListeners) listener();
    this.pinging = setInterval(() => this.ping(), PING_EVERY_MS);
  }

  /** The connection counts as lost unless some frame comes soon. */
  expectAnswer(): void {
    this.answerDue ??= setTimeout(() => this.abandonSocket(), ANSWER_WITHIN_MS);
  }

  private ping(): void {
    this.send({ type: 'ping' });
    this.expectAnswer();
  }

  private abandonSocket(): void {
    const socket = this.forgetSocket();
    this.lost(1006, true);
    socket?.close();
  }

  private received(data: unknown): void {
    this.forgetAnswer();
    const frame = parseFrame(data);
    if (!frame) return;
    if (frame.type === 'new_message' && !this.isNew(frame)) return;
    this.tell(frame.type, frame);
  }

  private isNew(frame: object): boolean {
    const { message } = frame as Partial<ServerFrames['new_message']>;
    return message !== undefined && this.seen.add(message.id);
  }

  private tell(type: string, frame: object): void {
    for (const handler of this.handlers.get(type) ?? []) handler(frame as never);
  }

  private lost(code: number, opened: boolean): void {
    this.forgetSocket();
    const again = reconnectsAfter(code);
    this.setStatus(again ? 'connecting' : 'closed');
    if (!again) return;
    this.reconnecting = setTimeout(() => this.open(), RECONNECT_MS);
    if (!opened && !this.isToldOf) {
      this.isToldOf = true;
      this.tell('error', { message: 'WebSocket connection failed', code: 'CONNECTION_FAILED' });
    }
    // To a browser, a refused handshake looks like any other failure, so the session may be the reason. If the member
    // is signed out, the caller closes this connection.
    if (code === SESSION_ENDED || !opened) this.options.onSessionDoubt();
  }

  private forgetSocket(): Socket | undefined {
    const { socket } = this;
    clearInterval(this.pinging);
    this.forgetAnswer();
    this.socket = undefined;
    this.listening.abort();
    return socket;
  }

  private forgetAnswer(): void {
    clearTimeout(this.answerDue);
    this.answerDue = undefined;
  }

  private setStatus(status: ConnectionStatus): void {
    if (status === this.state) return;
    this.state = status;
    for (const listener of this.statusListeners) listener();
  }
}
