import { Client, type ClientConfig } from 'pg';
import { type AppendResult, StoreUnavailable } from '../port.js';
import {
  ANSWER_GRACE_MS,
  type Append,
  appendFailure,
  appendResult,
  type AppendRow,
  appendStatement,
  COMMITS_TO_DISK,
} from './append-statement.js';
import { isUndone, messageOf } from './postgres-errors.js';

/** Limits of one group (one transaction); the first append of a group always fits. */
const GROUP_APPENDS_MAX = 256;
const GROUP_EVENTS_MAX = 10_000;
const GROUP_BYTES_MAX = 8_388_608;
/** Limits of the queue; beyond them, appends are refused as unavailable. */
const WAITING_APPENDS_MAX = 20_000;
const WAITING_BYTES_MAX = 134_217_728;

interface Waiting extends Append {
  readonly bytes: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Groups the appends of concurrent callers into few transactions: one is in flight, on a connection of its own, and the
 * next gathers meanwhile. A group holds at most one append of a stream; callers of one stream are served in turn.
 */
export class GroupAppender {
  readonly #settings: ClientConfig;
  readonly #timeoutMs: number;
  #client: Client | undefined;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #closed = false;

  constructor(settings: ClientConfig, { timeoutMs }: { readonly timeoutMs: number }) {
    this.#settings = settings;
    this.#timeoutMs = timeoutMs;
  }

  append(request: Omit<Waiting, 'resolve' | 'reject'>): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new StoreUnavailable('the event store is closed'));
      if (this.#waiting.length >= WAITING_APPENDS_MAX || this.#waitingBytes + request.bytes > WAITING_BYTES_MAX) {
        return reject(new StoreUnavailable('too many appends wait for the event store'));
      }
      this.#waiting.push({ ...request, resolve, reject });
      this.#waitingBytes += request.bytes;
      this.#running ??= this.#run();
    });
  }

  /** Finishes what waits, then ends the connection. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#client?.end().catch(() => undefined);
    this.#client = undefined;
  }

  async #run(): Promise<void> {
    // Callers of the same turn of the event loop go into the first group together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        await this.#send(group);
      } catch (error) {
        for (const append of group) append.reject(error instanceof Error ? error : new Error(messageOf(error)));
      }
    }
    this.#running = undefined;
  }

  #takeGroup(): Waiting[] {
    const group: Waiting[] = [];
    const left: Waiting[] = [];
    const streams = new Set<string>();
    let events = 0;
    let bytes = 0;
    let isFull = false;
    for (const append of this.#waiting) {
      isFull ||=
        group.length >= GROUP_APPENDS_MAX ||
        (group.length > 0 &&
          (events + append.events.length > GROUP_EVENTS_MAX || bytes + append.bytes > GROUP_BYTES_MAX));
      if (isFull || streams.has(append.stream)) {
        left.push(append);
        continue;
      }
      streams.add(append.stream);
      group.push(append);
      events += append.events.length;
      bytes += append.bytes;
    }
    this.#waiting = left;
    this.#waitingBytes -= bytes;
    return group;
  }

  async #send(group: readonly Waiting[]): Promise<void> {
    const client = await this.#connected();
    let rows: readonly AppendRow[];
    try {
      rows = (await client.query<AppendRow>(appendStatement(group))).rows;
    } catch (error) {
      if (!isUndone(error)) this.#drop(client);
      throw appendFailure(error);
    }
    for (const [index, append] of group.entries()) answer(append, rows[index]);
  }

  /** @throws StoreUnavailable without a connection nothing was sent. */
  async #connected(): Promise<Client> {
    if (this.#client) return this.#client;
    const client = new Client({
      ...this.#settings,
      application_name: 'event-store append',
      query_timeout: this.#timeoutMs + ANSWER_GRACE_MS,
      connectionTimeoutMillis: this.#timeoutMs,
      keepAlive: true,
    });
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    try {
      await client.connect();
      // As statements: a pooler takes no settings from the start of a session.
      await client.query(`set statement_timeout = ${this.#timeoutMs}; ${COMMITS_TO_DISK}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw new StoreUnavailable(`no connection to the event store: ${messageOf(error)}`, { cause: error });
    }
    this.#client = client;
    return client;
  }

  #drop(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
  }
}

function answer(append: Waiting, row: AppendRow | undefined): void {
  try {
    append.resolve(appendResult(append, row));
  } catch (error) {
    append.reject(error as Error);
  }
}
