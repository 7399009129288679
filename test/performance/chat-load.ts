import { once, setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pLimit from 'p-limit';
import { WebSocket } from 'ws';

/** One chat: the cookies of its two members, and its id. */
export interface LoadChat {
  readonly chatId: string;
  readonly cookies: readonly [string, string];
}

export interface ChatLoadOrder {
  readonly port: number;
  readonly chats: readonly LoadChat[];
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** Milliseconds between two messages of one chat. */
  readonly everyMs: number;
  /** Forced while messages go on, after the measured seconds. */
  readonly reconnects: number;
}

export interface ChatLoadResult {
  readonly perSecond: number;
  /** From sending until the other side has the message. */
  readonly latenciesMs: readonly number[];
  readonly sent: number;
  /** Messages that a side never got, and those that a side got under more than one id. */
  readonly lost: number;
  readonly doubled: number;
  readonly failures: readonly string[];
}

/** Says that the measured seconds begin and end. */
export type ChatLoadNotice = 'measuring' | 'measured' | ChatLoadResult;

const SOCKETS_AT_ONCE = 50;
const DRAIN_MS = 15_000;
const RECONNECT_MS_MAX = 400;

const failures: string[] = [];
const fail = (what: string): void => {
  if (failures.length < 5) failures.push(what);
};

/** A side of a chat as the product's client behaves: joins again from its newest message and repeats what was not acknowledged. */
class Side {
  readonly got = new Map<string, Set<string>>();
  readonly outbox = new Map<string, string>();
  private readonly seen = new Set<string>();
  private socket: WebSocket | undefined;
  private newest: string | null = null;

  constructor(
    private readonly port: number,
    private readonly chatId: string,
    private readonly cookie: string,
    private readonly onMessage: (clientMessageId: string) => void,
  ) {}

  async connect(): Promise<void> {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/ws`, {
      headers: { cookie: this.cookie },
      perMessageDeflate: false,
    });
    socket.on('error', (error) => fail(error.message));
    await once(socket, 'open');
    const joined = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => this.hear(JSON.parse(data.toString('utf8')) as Heard, resolve));
    });
    socket.send(JSON.stringify({ type: 'join_chat', chatId: this.chatId, after: this.newest }));
    await joined;
    this.socket = socket;
    for (const [id, text] of this.outbox) this.write(id, text);
  }

  say(clientMessageId: string, text: string): void {
    this.outbox.set(clientMessageId, text);
    this.write(clientMessageId, text);
  }

  /** Breaks the connection without a close frame, like a lost network. */
  async breakOff(): Promise<void> {
    this.socket?.terminate();
    this.socket = undefined;
    await pause(Math.random() * RECONNECT_MS_MAX);
    await this.connect();
  }

  end(): void {
    this.socket?.close();
  }

  private write(clientMessageId: string, text: string): void {
    this.socket?.send(JSON.stringify({ type: 'chat_message', chatId: this.chatId, text, clientMessageId }));
  }

  private hear(frame: Heard, joined: () => void): void {
    if (frame.type === 'joined') joined();
    else if (frame.type === 'message_ack') this.outbox.delete(frame.clientMessageId);
    else if (frame.type === 'error') fail(`${frame.code}: ${frame.message}`);
    else if (frame.type === 'new_message') this.take(frame.message);
  }

  private take({ id, clientMessageId }: Extract<Heard, { type: 'new_message' }>['message']): void {
    if (this.seen.has(id)) return;
    this.seen.add(id);
    this.newest = id;
    const ids = this.got.get(clientMessageId) ?? new Set();
    this.got.set(clientMessageId, ids.add(id));
    this.onMessage(clientMessageId);
  }
}

type Heard =
  | { readonly type: 'joined' }
  | { readonly type: 'message_ack'; readonly clientMessageId: string }
  | { readonly type: 'error'; readonly code: string; readonly message: string }
  | { readonly type: 'new_message'; readonly message: { readonly id: string; readonly clientMessageId: string } };

async function load(order: ChatLoadOrder): Promise<ChatLoadResult> {
  const sentAt = new Map<string, number>();
  const latenciesMs: number[] = [];
  let measuring = false;
  const arrived = (id: string): void => {
    const at = sentAt.get(id);
    if (measuring && at !== undefined) latenciesMs.push(performance.now() - at);
  };
  const nothing = (): void => undefined;
  // One side writes all of a chat's messages: so there are no exchanges, and no chat ends.
  const pairs = order.chats.map(({ chatId, cookies }, n) => {
    const [writer, reader] = n % 2 === 0 ? cookies : [cookies[1], cookies[0]];
    return {
      chatId,
      writer: new Side(order.port, chatId, writer, nothing),
      reader: new Side(order.port, chatId, reader, arrived),
      texts: [] as string[],
    };
  });
  const sides = pairs.flatMap(({ writer, reader }) => [writer, reader]);
  await pLimit(SOCKETS_AT_ONCE).map(sides, (side) => side.connect());
  const ending = new AbortController();
  setMaxListeners(pairs.length, ending.signal);
  const writing = pairs.map(async ({ chatId, writer, texts }, n) => {
    await pause((n * order.everyMs) / pairs.length);
    for (let count = 0; !ending.signal.aborted; count++) {
      const id = `${chatId}:${count}`;
      texts.push(id);
      sentAt.set(id, performance.now());
      writer.say(id, `message ${count} of this chat, as long as people write`);
      await pause(order.everyMs, undefined, { signal: ending.signal }).catch(nothing);
    }
  });
  await pause(order.warmUpSeconds * 1_000);
  measuring = true;
  tell('measuring');
  await pause(order.seconds * 1_000);
  measuring = false;
  tell('measured');
  await forceReconnects(sides, order.reconnects, order.everyMs);
  ending.abort();
  await Promise.all(writing);
  await drained(pairs);
  for (const side of sides) side.end();
  return { ...outcome(pairs), perSecond: latenciesMs.length / order.seconds, latenciesMs, failures };
}

/** Spread over twice the time between two messages, so that some connections break with a message in transit. */
async function forceReconnects(sides: readonly Side[], total: number, everyMs: number): Promise<void> {
  const chosen = Array.from({ length: total }, (_, n) => sides[(n * 7) % sides.length]);
  await Promise.all(
    [...new Set(chosen)].map(async (side, n) => {
      await pause((n * 2 * everyMs) / total);
      await side?.breakOff();
    }),
  );
}

interface Pair {
  readonly writer: Side;
  readonly reader: Side;
  readonly texts: readonly string[];
}

async function drained(pairs: readonly Pair[]): Promise<void> {
  const isDone = ({ writer, reader, texts }: Pair) =>
    writer.outbox.size === 0 && texts.every((id) => writer.got.has(id) && reader.got.has(id));
  for (const deadline = performance.now() + DRAIN_MS; performance.now() < deadline;) {
    if (pairs.every(isDone)) return;
    await pause(100);
  }
}

function outcome(pairs: readonly Pair[]) {
  let [sent, lost, doubled] = [0, 0, 0];
  for (const { writer, reader, texts } of pairs) {
    sent += texts.length;
    for (const side of [writer, reader]) {
      for (const id of texts) {
        const ids = side.got.get(id)?.size ?? 0;
        if (ids === 0) lost += 1;
        if (ids > 1) doubled += 1;
      }
    }
  }
  return { sent, lost, doubled };
}

const tell = (notice: ChatLoadNotice): void => parentPort?.postMessage(notice);

tell(await load(workerData as ChatLoadOrder));
