import { Client, type QueryResult } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * The one connection over which Socket.IO's Postgres adapter talks to other processes. The adapter expects a pool, whose
 * clients it neither gives back when they break nor watches for errors (which would end the process). All that it sends
 * goes over the connection that it listens on, one after the other, so that frames keep their order.
 */
export class RelayDatabase {
  private client: Client | undefined;
  private isEnded = false;

  constructor(private readonly connectionString: string) {}

  /** As `pg.Pool`'s: the adapter calls it again whenever the client before has ended. */
  async connect(): Promise<Client & { release: () => void }> {
    if (this.isEnded) throw new Error('the relay has ended');
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
    await client.connect();
    this.client = client;
    return Object.assign(client, { release: () => void client.end().catch(() => undefined) });
  }

  /** As `pg.Pool`'s. What cannot be sent is lost: it was of the moment. */
  query(text: string, values?: unknown[]): Promise<QueryResult> {
    if (!this.client) return Promise.reject(new Error('the relay is not connected'));
    return this.client.query(text, values);
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.client?.end().catch(() => undefined);
  }
}
