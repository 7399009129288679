import type { Logger } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { type EventStore, lastPosition, type RecordedEvent } from '@app/event-store';

const RETRY_MS = 500;

export interface FollowerOptions {
  readonly store: EventStore;
  readonly streamPrefixes: readonly string[];
  /** Takes a batch before the next one is read. It is handed the same batch again where it fails. */
  readonly take: (batch: readonly RecordedEvent[]) => Promise<void>;
  readonly logger: Logger;
}

/** Follows streams for this process's sockets: each process for itself, from what is the end when it starts. */
export class Follower {
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: FollowerOptions) {}

  async start(): Promise<void> {
    this.running = this.follow(await lastPosition(this.options.store));
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async follow(from: bigint | undefined): Promise<void> {
    const { store, streamPrefixes, take, logger } = this.options;
    const { signal } = this.stopped;
    for (let after = from; !signal.aborted;) {
      try {
        const options = { streamPrefixes, signal, ...(after !== undefined && { after }) };
        for await (const batch of store.subscribeAll(options)) {
          await take(batch);
          after = batch.at(-1)?.position ?? after;
        }
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error, streamPrefixes }, 'following streams was interrupted');
      }
      if (!signal.aborted) await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
