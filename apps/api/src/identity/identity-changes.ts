import { once } from 'node:events';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { watchConnection } from '@app/event-store';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { setTimeout as sleep } from 'node:timers/promises';

const CHANNEL = 'nova_identity';
const RECONNECT_MS = 500;
const CONNECT_TIMEOUT_MS = 5_000;

/** What other processes must forget. `all`: notifications may have been missed. */
export type IdentityChange =
  | { readonly kind: 'session'; readonly tokenHash: string }
  | { readonly kind: 'device'; readonly deviceId: string }
  | { readonly kind: 'account'; readonly accountId: string }
  | { readonly kind: 'all' };

export type ChangeListener = (change: IdentityChange) => void;

/**
 * Tells every process, this one at once, that something about an account changed, so that what they remember of it goes.
 * While the connection to Postgres is down, caches live by their short time to live.
 */
@Injectable()
export class IdentityChanges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IdentityChanges.name);
  private readonly listeners: ChangeListener[] = [];
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly dataSource: DataSource) {}

  onChange(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** After the change was committed. */
  async publish(change: IdentityChange): Promise<void> {
    this.tell(change);
    await this.dataSource.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(change)]);
  }

  onApplicationBootstrap(): void {
    this.running = this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private tell(change: IdentityChange): void {
    for (const listener of this.listeners) listener(change);
  }

  private async listen(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      try {
        await this.listenOnce();
      } catch (error) {
        if (!signal.aborted) this.logger.warn({ err: error }, 'listening for changes of accounts was interrupted');
      }
      if (!signal.aborted) await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Until the connection ends, or this process does. */
  private async listenOnce(): Promise<void> {
    const { signal } = this.stopped;
    const options = this.dataSource.options;
    const url = 'url' in options ? options.url : undefined;
    const client = new Client({
      ...(url ? { connectionString: url } : {}),
      application_name: 'nova changes',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    client.on('error', () => undefined);
    client.on('notification', ({ payload }) => this.tell(parseChange(payload)));
    try {
      // A connection that is just being made cannot be ended: it is made first, and then ended.
      await client.connect();
      if (signal.aborted) return;
      await client.query(`listen ${CHANNEL}`);
      watchConnection(client);
      this.tell({ kind: 'all' });
      const over = AbortSignal.any([signal, ended.signal]);
      if (!over.aborted) await once(over, 'abort');
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** What is not understood, from a newer process perhaps, may be anything. */
function parseChange(payload: string | undefined): IdentityChange {
  try {
    const value: unknown = JSON.parse(payload ?? 'null');
    const kinds = ['session', 'device', 'account'];
    if (typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(String(value.kind))) {
      return value as IdentityChange;
    }
    return { kind: 'all' };
  } catch {
    return { kind: 'all' };
  }
}
