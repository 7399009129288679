import { once } from 'node:events';
import { io, type Socket } from 'socket.io-client';
import { WebSocket } from 'ws';
import type { TestApi, TestMember } from './api.js';

// oxlint-disable-next-line typescript/no-explicit-any
export type Fields = Record<string, any>;

const PATIENCE_MS = 10_000;

/** A member's live connection, of either protocol. */
export abstract class LiveClient {
  readonly heard: { readonly type: string; readonly payload: Fields }[] = [];
  private read = 0;
  private readonly listeners = new Set<() => void>();

  abstract say(type: string, payload?: Fields): void;
  /** Sends bytes as they are. */
  abstract raw(text: string): void;
  /** Sends a message and returns its acknowledgement. */
  abstract sendMessage(payload: Fields): Promise<{ ok: boolean; id?: string; code?: string; message?: string }>;
  abstract readonly isOpen: boolean;
  abstract close(): void;

  /** The next event of a type that no call has returned yet; earlier ones are skipped. */
  async hear(type: string, isIt: (payload: Fields) => boolean = () => true): Promise<Fields> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      while (this.read < this.heard.length) {
        const next = this.heard[this.read++];
        if (next?.type === type && isIt(next.payload)) return next.payload;
      }
      if (Date.now() > deadline) {
        throw new Error(`no ${type} was heard, but ${JSON.stringify(this.heard.slice(-10))}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, 50);
        const listeners = this.listeners;
        function done() {
          clearTimeout(timer);
          listeners.delete(done);
          resolve();
        }
        listeners.add(done);
      });
    }
  }

  all(type: string): Fields[] {
    return this.heard.filter((each) => each.type === type).map(({ payload }) => payload);
  }

  async joinChat(chatId: string, more: Fields = {}): Promise<void> {
    this.say('join_chat', { chatId, ...more });
    await this.hear('joined', (payload) => payload['chatId'] === chatId);
  }

  async untilClosed(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (this.isOpen) {
      if (Date.now() > deadline) throw new Error('the socket stayed open');
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  protected take(type: string, payload: Fields): void {
    this.heard.push({ type, payload });
    for (const listener of this.listeners) listener();
  }
}

export class PlainClient extends LiveClient {
  closeCode: number | undefined;

  constructor(readonly socket: WebSocket) {
    super();
    socket.on('message', (data: Buffer) => {
      const { type, ...payload } = JSON.parse(data.toString('utf8')) as { type: string };
      this.take(type, payload);
    });
    socket.on('close', (code) => (this.closeCode = code));
    socket.on('error', () => undefined);
  }

  /** Until the close is complete: only then its code is known. */
  get isOpen(): boolean {
    return this.closeCode === undefined;
  }

  say(type: string, payload: Fields = {}): void {
    this.socket.send(JSON.stringify({ type, ...payload }));
  }

  raw(text: string | Buffer): void {
    this.socket.send(text);
  }

  async sendMessage(payload: Fields) {
    const clientMessageId = payload['clientMessageId'] ?? `c${Math.random()}`;
    const isMine = (answer: Fields) => answer['clientMessageId'] === clientMessageId;
    const answers = () =>
      this.heard.filter(({ type, payload: answer }) => (type === 'message_ack' || type === 'error') && isMine(answer));
    const before = answers().length;
    this.say('chat_message', { ...payload, clientMessageId });
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = answers()[before];
      if (answer?.type === 'message_ack') return { ok: true, id: answer.payload['id'] as string };
      if (answer) return { ok: false, ...answer.payload };
      if (Date.now() > deadline) throw new Error('no acknowledgement came');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  close(): void {
    this.socket.close();
  }
}

export class SocketIoClient extends LiveClient {
  constructor(readonly socket: Socket) {
    super();
    socket.onAny((type: string, payload: Fields) => this.take(type, payload));
  }

  get isOpen(): boolean {
    return this.socket.connected;
  }

  say(type: string, payload: Fields = {}): void {
    this.socket.emit(type, payload);
  }

  raw(text: string): void {
    this.socket.io.engine.write(text);
  }

  async sendMessage(payload: Fields) {
    return (await this.socket.timeout(PATIENCE_MS).emitWithAck('chat_message', payload)) as { ok: boolean };
  }

  close(): void {
    this.socket.disconnect();
  }
}

export interface Opening {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A plain WebSocket that is open; `api` may be another process than the one where the member signed in. */
export async function openPlain(
  api: TestApi,
  member: TestMember | undefined,
  { path = '/ws', headers = {} }: Opening = {},
): Promise<PlainClient> {
  const cookie = member ? { cookie: member.browser.cookie } : {};
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}${path}`, { headers: { ...cookie, ...headers } });
  const client = new PlainClient(socket);
  await once(socket, 'open');
  return client;
}

/** The status with which an upgrade is refused; 101 if it is accepted. */
export function upgradeStatus(api: TestApi, member: TestMember | undefined, opening: Opening = {}): Promise<number> {
  const { path = '/ws', headers = {} } = opening;
  const cookie = member ? { cookie: member.browser.cookie } : {};
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${api.url.replace('http', 'ws')}${path}`, { headers: { ...cookie, ...headers } });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('error', reject);
  });
}

export async function openSocketIo(
  api: TestApi,
  member: TestMember,
  transports: ('polling' | 'websocket')[] = ['websocket'],
): Promise<SocketIoClient> {
  const socket = io(api.url, {
    path: '/ws',
    transports,
    reconnection: false,
    forceNew: true,
    extraHeaders: { cookie: member.browser.cookie },
  });
  const client = new SocketIoClient(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', () => resolve());
    socket.once('connect_error', reject);
  });
  return client;
}

export const PROTOCOLS = [
  ['plain frames', openPlain as (api: TestApi, member: TestMember) => Promise<LiveClient>],
  ['Socket.IO', openSocketIo as (api: TestApi, member: TestMember) => Promise<LiveClient>],
] as const;
