import { Injectable, Logger, type OnApplicationBootstrap, type BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountDeletions } from './account-deletions.js';

const SWEEP_EVERY_MS = 5_000;
const FOUND_MAX = 20;

/** Finishes deletions that were interrupted, in every process: deleting twice is deleting once. */
@Injectable()
export class AccountDeletionSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AccountDeletionSweeper.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly deletions: AccountDeletions) {}

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async sweep(): Promise<void> {
    for (const accountId of await this.deletions.due(FOUND_MAX)) {
      if (this.stopping.signal.aborted) return;
      await this.deletions.goOn(accountId);
    }
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(SWEEP_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.sweep();
      } catch (error) {
        this.logger.warn({ err: error }, 'looking for deleted accounts failed; the next round will do');
      }
    }
  }
}
