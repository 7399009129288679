import { once } from 'node:events';
import { Client, type ClientConfig, escapeIdentifier } from 'pg';
import { pause } from '../wakeups.js';
import { watchConnection } from './watch-connection.js';

const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 2_000;
const ANSWER_MS_MAX = 5_000;

export interface Channel {
  readonly name: string;
  heard(payload: string): void;
  /** Called when listening begins, and again after each interruption: earlier notifications were missed. */
  began?(): void;
}

/**
 * Listens to channels of Postgres, all over one connection, because each that listens to anything is woken by whatever is
 * told in the database. It connects with the first channel, and anew whenever the connection breaks, until `close`.
 */
export class ChannelListener {
  readonly #settings: ClientConfig;
  readonly #channels = new Set<Channel>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  /** The newest connection that was tried: what says that it has ended. */
  #attempt: Promise<AbortSignal | undefined> | undefined;
  #client: Client | undefined;
  /** What the connection listens to by now. */
  readonly #heard = new Set<Channel>();

  constructor(settings: ClientConfig) {
    this.#settings = {
      ...settings,
      connectionTimeoutMillis: ANSWER_MS_MAX,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    };
  }

  /** While false, notifications on the channel are lost. */
  isListeningTo(channel: Channel): boolean {
    return this.#heard.has(channel);
  }

  /** Resolves once it listens, or could not for now: it goes on trying until `forget`. */
  async listen(channel: Channel): Promise<void> {
    this.#channels.add(channel);
    this.#running ??= this.#follow();
    await this.#attempt;
    if (this.#client && !this.#heard.has(channel)) await this.#listenOn(this.#client);
  }

  forget(channel: Channel): void {
    this.#channels.delete(channel);
    this.#heard.delete(channel);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing;
    let reconnectMs = RECONNECT_MS_MIN;
    for (;;) {
      this.#attempt = this.#connect();
      const ended = await this.#attempt;
      if (ended) {
        const over = AbortSignal.any([signal, ended]);
        if (!over.aborted) await once(over, 'abort');
        const client = this.#client;
        this.#client = undefined;
        this.#heard.clear();
        await client?.end().catch(() => undefined);
        reconnectMs = RECONNECT_MS_MIN;
      }
      await pause(reconnectMs, signal);
      if (signal.aborted) return;
      reconnectMs = Math.min(reconnectMs * 2, RECONNECT_MS_MAX);
    }
  }

  async #connect(): Promise<AbortSignal | undefined> {
    const client = new Client(this.#settings);
    const ended = new AbortController();
    client.on('error', () => ended.abort());
    client.on('end', () => ended.abort());
    client.on('notification', (told) => {
      for (const channel of this.#heard) if (channel.name === told.channel) channel.heard(told.payload ?? '');
    });
    try {
      await client.connect();
    } catch {
      // Whoever depends on it looks for itself meanwhile.
      await client.end().catch(() => undefined);
      return undefined;
    }
    watchConnection(client);
    this.#client = client;
    await this.#listenOn(client);
    return ended.signal;
  }

  /** A connection that does not take it is ended, so that another is made. */
  async #listenOn(client: Client): Promise<void> {
    const added = [...this.#channels].filter((channel) => !this.#heard.has(channel));
    if (added.length === 0) return;
    const text = added.map(({ name }) => `listen ${escapeIdentifier(name)}`).join(';');
    const question = { text, query_timeout: ANSWER_MS_MAX };
    try {
      await client.query(question);
    } catch {
      await client.end().catch(() => undefined);
      return;
    }
    if (this.#client !== client) return;
    for (const channel of added) {
      if (!this.#channels.has(channel) || this.#heard.has(channel)) continue;
      this.#heard.add(channel);
      channel.began?.();
    }
  }
}
