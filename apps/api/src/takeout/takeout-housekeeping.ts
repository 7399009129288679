import { Injectable } from '@nestjs/common';
import { AccountErasure } from '../platform/account-erasure.js';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { FileStore } from '../platform/uploads/files/file-store.js';
import { REMOVED_PER_ROUND } from './limits.js';
import { takeoutKey } from './takeout-rounds.js';
import { Takeouts } from './takeouts.js';

/** Removes files whose time is over, and those of members who are gone. */
@Injectable()
export class TakeoutHousekeeping extends Rounds {
  constructor(
    private readonly takeouts: Takeouts,
    private readonly files: FileStore,
    erasure: AccountErasure,
  ) {
    super(HOUSEKEEPING, 'removing takeouts');
    erasure.register((accountId, _, limit) => this.erase(accountId, limit));
  }

  protected override round(): Promise<void> {
    return this.sweep();
  }

  async sweep(): Promise<void> {
    for (const id of await this.takeouts.expired(REMOVED_PER_ROUND)) {
      await this.files.remove(takeoutKey(id));
      await this.takeouts.markRemoved(id);
    }
  }

  /** The row goes first: an attempt that is under way finds none, and removes its file itself. */
  private async erase(accountId: string, limit: number): Promise<number> {
    const ids = await this.takeouts.ofAccount(accountId, limit);
    for (const id of ids) {
      await this.takeouts.forget(id);
      await this.files.remove(takeoutKey(id));
    }
    return ids.length;
  }
}
