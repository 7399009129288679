import { watchConnection } from '@app/event-store';
import { Client } from 'pg';
import { PROGRESS_CHANNEL } from '../schema.js';

/** What such a connection is called: whoever feeds read models looks whether others listen. */
export const LISTENER_NAME = 'nova projections listen';

const RECONNECT_MS = 1_000;
const CONNECT_MS_MAX = 5_000;

/** Hears from other processes how far read models are. A broken connection is made again: polling covers the gap. */
export class ProgressListener {
  private client: Client | undefined;
  private retry: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly connectionString: string,
    private readonly onProgress: (names: readonly string[], revision: number) => void,
  ) {}

  async start(): Promise<void> {
    const client = new Client({
      connectionString: this.connectionString,
      application_name: LISTENER_NAME,
      connectionTimeoutMillis: CONNECT_MS_MAX,
    });
    client.on('error', () => this.reconnect(client));
    client.on('end', () => this.reconnect(client));
    client.on('notification', ({ payload = '' }) => {
      const colon = payload.indexOf(':');
      this.onProgress(payload.slice(colon + 1).split(','), Number(payload.slice(0, colon)));
    });
    this.client = client;
    try {
      await client.connect();
      await client.query(`listen ${PROGRESS_CHANNEL}`);
      watchConnection(client);
    } catch {
      // The database is away: `reconnect` tries again until it is back.
      this.reconnect(client);
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retry);
    await this.client?.end();
  }

  private reconnect(broken: Client): void {
    if (this.stopped || this.client !== broken) return;
    this.client = undefined;
    this.retry = setTimeout(() => void this.start(), RECONNECT_MS);
  }
}
