import { Client, type ClientConfig } from 'pg';
import { pause, Wakeups } from '../wakeups.js';
import { watchConnection } from './watch-connection.js';

const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 2_000;
const ANY_STREAM = '';

/**
 * The one LISTEN connection of a store: a notification of an append, from whichever process, wakes the subscriptions that it
 * may concern.
 */
export class AppendListener {
  readonly #settings: ClientConfig;
  readonly #subscriptions = new Map<Wakeups, readonly string[] | undefined>();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;
  #isListening = false;

  constructor(settings: ClientConfig) {
    this.#settings = settings;
  }

  /** While false, subscriptions have only their polling. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /**
   * What wakes a subscription to streams with these prefixes, until `unsubscribe`. Connects at the first call and stays
   * connected until `close`.
   */
  subscribe(streamPrefixes: readonly string[] | undefined): Wakeups {
    const wakeups = new Wakeups();
    this.#subscriptions.set(wakeups, streamPrefixes);
    this.#running ??= this.#run();
    return wakeups;
  }

  unsubscribe(wakeups: Wakeups): void {
    this.#subscriptions.delete(wakeups);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const signal = this.#closing.signal;
    let reconnectMs = RECONNECT_MS_MIN;
    while (!signal.aborted) {
      const wasListening = await this.#listenUntilBroken(signal);
      reconnectMs = wasListening ? RECONNECT_MS_MIN : Math.min(reconnectMs * 2, RECONNECT_MS_MAX);
      await pause(reconnectMs, signal);
    }
  }

  /** Answers whether it got as far as listening. */
  async #listenUntilBroken(signal: AbortSignal): Promise<boolean> {
    const client = new Client({
      ...this.#settings,
      application_name: 'event-store listen',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const broken = new AbortController();
    client.on('error', () => broken.abort());
    client.on('end', () => broken.abort());
    client.on('notification', ({ payload = '' }) => this.#wake(payload));
    let didListen = false;
    try {
      await client.connect();
      await client.query('listen journal');
      watchConnection(client);
      didListen = true;
      this.#isListening = true;
      // What was committed before LISTEN took effect was not announced.
      this.#wake(ANY_STREAM);
      await aborted(AbortSignal.any([signal, broken.signal]));
    } catch {
      // The caller tries again; meanwhile the subscriptions poll.
    } finally {
      this.#isListening = false;
      await client.end().catch(() => undefined);
    }
    return didListen;
  }

  /** @param appended names of streams, one a line */
  #wake(appended: string): void {
    const streams = appended.split('\n');
    for (const [wakeups, prefixes] of this.#subscriptions) {
      const concerns = (stream: string) =>
        prefixes === undefined || prefixes.some((prefix) => stream.startsWith(prefix));
      if (appended === ANY_STREAM || streams.some(concerns)) wakeups.wake();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
