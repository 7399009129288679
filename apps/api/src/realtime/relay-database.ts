import { watchConnection } from '@app/event-store';
import { Client, type Notification, type QueryResult } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
/** Frames of the moment that wait to be sent at most; those after them are lost. */
const WAITING_MAX = 1_000;

/** As much of a client of `pg.Pool` as Socket.IO's adapter uses. */
interface AdapterClient {
  on(event: 'notification', listener: (message: Notification) => void): void;
  on(event: 'end', listener: () => void): void;
  removeAllListeners(event: 'end'): void;
  query(text: string): Promise<QueryResult>;
  release(): void;
}

/**
 * The one connection over which Socket.IO's Postgres adapter talks to other processes. The adapter expects a pool, whose
 * clients it neither gives back when they break nor watches for errors (which would end the process). All that it sends
 * goes over the connection that it listens on, one after the other, so that frames keep their order.
 */
export class RelayDatabase {
  private client: Client | undefined;
  private isEnded = false;
  private waiting = 0;
  /** The last of what is being sent. What comes before the first connection waits for it: others must learn of us at once. */
  private sending: Promise<unknown>;
  private begin: () => void = () => undefined;

  constructor(private readonly connectionString: string) {
    this.sending = new Promise<void>((resolve) => {
      this.begin = resolve;
    });
  }

  /**
   * As `pg.Pool`'s: the adapter calls it again whenever the client before has ended, or could not be made, for ever. Once
   * everything has ended it gets no answer any more.
   */
  async connect(): Promise<AdapterClient> {
    const client = new Client({
      connectionString: this.connectionString,
      application_name: 'nova relay',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    });
    client.on('error', () => undefined);
    client.once('end', () => {
      if (this.client === client) this.client = undefined;
    });
    try {
      if (!this.isEnded) await client.connect();
    } catch (error) {
      if (!this.isEnded) throw error;
    }
    if (this.isEnded) {
      await client.end().catch(() => undefined);
      return new Promise(() => undefined);
    }
    watchConnection(client);
    this.client = client;
    return this.forAdapter(client);
  }

  private forAdapter(client: Client): AdapterClient {
    return {
      on: (event: 'notification' | 'end', listener: (message: never) => void) => {
        if (event === 'notification') client.on('notification', listener as (message: Notification) => void);
        else client.on('end', () => (this.isEnded ? undefined : (listener as () => void)()));
      },
      removeAllListeners: (event) => void client.removeAllListeners(event),
      query: async (text) => {
        const listening = await client.query(text);
        // Nobody's answer to what is sent from now on is missed.
        this.begin();
        return listening;
      },
      release: () => void client.end().catch(() => undefined),
    };
  }

  /** As `pg.Pool`'s. What cannot be sent is lost: it was of the moment. */
  async query(text: string, values?: unknown[]): Promise<QueryResult> {
    if (this.waiting >= WAITING_MAX) throw new Error('too much waits to be sent to other processes');
    this.waiting += 1;
    const sent = this.sending.then(() => {
      if (!this.client) throw new Error('the relay is not connected');
      return this.client.query(text, values);
    });
    this.sending = sent.catch(() => undefined);
    try {
      return await sent;
    } finally {
      this.waiting -= 1;
    }
  }

  async end(): Promise<void> {
    this.isEnded = true;
    this.begin();
    await this.client?.end().catch(() => undefined);
  }
}
