import type { Channel, ChannelListener } from '@app/event-store';
import type { Pool, QueryResult } from 'pg';

/** Frames of the moment that wait to be sent at most; those after them are lost. */
const WAITING_MAX = 1_000;

const LISTEN = /^LISTEN "(.+)"$/;

/** As much of a client of `pg.Pool` as Socket.IO's adapter uses. */
interface AdapterClient {
  on(event: 'notification' | 'end', listener: (message: { readonly payload: string }) => void): void;
  removeAllListeners(event: 'end'): void;
  query(text: string): Promise<void>;
  release(): void;
}

/**
 * What Socket.IO's Postgres adapter has for a pool. It hears over the connection on which the process listens to everything,
 * which connects anew by itself: one of its own would be woken by whatever is told in the database. What it sends goes out
 * one after the other, so that frames keep their order.
 */
export class RelayDatabase {
  private readonly channels: Channel[] = [];
  private isEnded = false;
  private waiting = 0;
  /** The last of what is being sent. What comes before we first listen waits for it: others must learn of us at once. */
  private sending: Promise<unknown>;
  private begin: () => void = () => undefined;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly listener: ChannelListener,
  ) {
    this.sending = new Promise<void>((resolve) => {
      this.begin = resolve;
    });
  }

  /** As `pg.Pool`'s. What it answers with never ends by itself. */
  connect(): Promise<AdapterClient> {
    const heard: ((message: { readonly payload: string }) => void)[] = [];
    return Promise.resolve({
      on: (event, listener) => {
        if (event === 'notification') heard.push(listener);
      },
      removeAllListeners: () => undefined,
      query: (text) => this.listen(text, (payload) => heard.forEach((listener) => listener({ payload }))),
      release: () => this.channels.forEach((channel) => this.listener.forget(channel)),
    });
  }

  private async listen(text: string, heard: (payload: string) => void): Promise<void> {
    const name = LISTEN.exec(text)?.[1];
    if (name === undefined) throw new Error(`Socket.IO's adapter asks for something else than to listen: ${text}`);
    // Nobody's answer to what is sent from then on is missed.
    const channel = { name, heard, began: this.begin };
    this.channels.push(channel);
    await this.listener.listen(channel);
  }

  /** As `pg.Pool`'s. What cannot be sent is lost: it was of the moment. */
  async query(text: string, values?: unknown[]): Promise<QueryResult> {
    if (this.waiting >= WAITING_MAX) throw new Error('too much waits to be sent to other processes');
    this.waiting += 1;
    const sent = this.sending.then(() => {
      if (this.isEnded) throw new Error('the relay has ended');
      return this.pool.query(text, values);
    });
    this.sending = sent.catch(() => undefined);
    try {
      return await sent;
    } finally {
      this.waiting -= 1;
    }
  }

  end(): void {
    this.isEnded = true;
    this.begin();
  }
}
