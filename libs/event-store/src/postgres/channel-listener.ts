import { once } from 'node:events';
import { Client, type ClientConfig } from 'pg';
import { pause } from '../wakeups.js';
import { watchConnection } from './watch-connection.js';

const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 2_000;
const ANSWER_MS_MAX = 5_000;

export interface Channel {
  readonly name: string;
  heard(payload: string): void;
  /** It listens from now on: what was told before this moment was missed. Called again after each interruption. */
  began?(): void;
}

interface Connection {
  readonly client: Client;
  readonly ended: AbortSignal;
}

/** Listens to a channel of Postgres over a connection of its own, which is made again whenever it breaks, until `close`. */
export class ChannelListener {
  readonly #settings: ClientConfig;
  readonly #channel: Channel;
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #isListening = false;

  constructor(settings: ClientConfig, channel: Channel) {
    this.#settings = {
      ...settings,
      connectionTimeoutMillis: ANSWER_MS_MAX,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
    this.#channel = channel;
  }

  /** While false, what is told is not heard. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Resolves once it listens, or could not the first time: it goes on trying. Again, it does nothing. */
  start(): Promise<void> {
    if (this.#running) return Promise.resolve();
    const first = this.#connect();
    this.#running = this.#follow(first);
    return first.then(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #follow(first: Promise<Connection | undefined>): Promise<void> {
    const { signal } = this.#closing;
    let reconnectMs = RECONNECT_MS_MIN;
    for (let connection = await first; ; connection = await this.#connect()) {
      if (connection) {
        const over = AbortSignal.any([signal, connection.ended]);
        if (!over.aborted) await once(over, 'abort');
        this.#isListening = false;
        await connection.client.end().catch(() => undefined);
        reconnectMs = RECONNECT_MS_MIN;
      }
      await pause(reconnectMs, signal);
      if (signal.aborted) return;
      reconnectMs = Math.min(reconnectMs * 2, RECONNECT_MS_MAX);
    }
  }

  async #connect(): Promise<Connection | undefined> {
    const client = new Client(this.#settings);
    const ended = new AbortController();
    client.on('error', () => ended.abort());
    client.on('end', () => ended.abort());
    client.on('notification', ({ payload = '' }) => this.#channel.heard(payload));
    try {
      await client.connect();
      const listen = { text: `listen ${this.#channel.name}`, query_timeout: ANSWER_MS_MAX };
      await client.query(listen);
    } catch {
      // Whoever depends on it looks for itself meanwhile.
      await client.end().catch(() => undefined);
      return undefined;
    }
    watchConnection(client);
    this.#isListening = true;
    this.#channel.began?.();
    return { client, ended: ended.signal };
  }
}
