import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type Channel, ChannelListener } from '@app/event-store';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

const CHANNEL = 'nova_identity';

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
  private readonly listeners: ChangeListener[] = [];
  private readonly channel: Channel = {
    name: CHANNEL,
    heard: (payload) => this.tell(parseChange(payload)),
    began: () => this.tell({ kind: 'all' }),
  };

  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly listener: ChannelListener,
  ) {}

  onChange(listener: ChangeListener): void {
    this.listeners.push(listener);
  }

  /** After the change was committed. */
  async publish(change: IdentityChange): Promise<void> {
    this.tell(change);
    await this.pool.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(change)]);
  }

  onApplicationBootstrap(): void {
    void this.listener.listen(this.channel);
  }

  onApplicationShutdown(): void {
    this.listener.forget(this.channel);
  }

  private tell(change: IdentityChange): void {
    for (const listener of this.listeners) listener(change);
  }
}

/** What is not understood, from a newer process perhaps, may be anything. */
function parseChange(payload: string): IdentityChange {
  try {
    const value: unknown = JSON.parse(payload);
    const kinds = ['session', 'device', 'account'];
    if (typeof value === 'object' && value !== null && 'kind' in value && kinds.includes(String(value.kind))) {
      return value as IdentityChange;
    }
    return { kind: 'all' };
  } catch {
    return { kind: 'all' };
  }
}
