import { Injectable } from '@nestjs/common';
import { Rounds } from '../platform/rounds.js';
import { AccountDeletions } from './account-deletions.js';

const SWEEP_EVERY_MS = 5_000;

/** Finishes long or interrupted deletions round by round, in every process: repeating a deletion changes nothing. */
@Injectable()
export class AccountDeletionSweeper extends Rounds {
  constructor(private readonly deletions: AccountDeletions) {
    super({ firstAfterMs: SWEEP_EVERY_MS, everyMs: SWEEP_EVERY_MS }, 'looking for deleted accounts');
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.sweep(signal);
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const accountId = signal?.aborted ? undefined : await this.deletions.take();
      if (accountId === undefined) return;
      await this.deletions.goOn(accountId);
    }
  }
}
