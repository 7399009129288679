import { Injectable } from '@nestjs/common';
import { HOUSEKEEPING, Rounds } from '../platform/rounds.js';
import { Contents } from './contents.js';
import { Publishing } from './publishing.js';

const FOUND_MAX = 500;

/** Finishes interrupted removals of content, in every process: repeating a removal changes nothing. */
@Injectable()
export class UnfinishedRemovals extends Rounds {
  constructor(
    private readonly contents: Contents,
    private readonly publishing: Publishing,
  ) {
    super(HOUSEKEEPING, 'finishing removals of content');
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.sweep(signal);
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    for (const content of await this.contents.halfRemoved(FOUND_MAX)) {
      if (signal?.aborted) return;
      await this.publishing.remove(content, { actor: 'process' });
    }
  }
}
