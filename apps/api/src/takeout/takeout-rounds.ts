import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { Rounds } from '../platform/rounds.js';
import { FileStore } from '../platform/uploads/files/file-store.js';
import { Scratch } from '../platform/uploads/files/scratch.js';
import { ATTEMPT_MS_MAX, BYTES_MAX, LOOK, RENEW_MS } from './limits.js';
import { TakeoutArchive, TakeoutTooLarge } from './takeout-archive.js';
import { type Attempt, Takeouts } from './takeouts.js';

export const takeoutKey = (id: string): string => `takeout/${id}`;

/**
 * Makes takeouts, one at a time on each server (rule accounts-26). A row remembers the order until it is finished: if a
 * server dies or loses its lease, another one makes it anew.
 */
@Injectable()
export class TakeoutRounds extends Rounds {
  constructor(
    private readonly takeouts: Takeouts,
    private readonly archive: TakeoutArchive,
    private readonly files: FileStore,
    private readonly scratch: Scratch,
  ) {
    super(LOOK, 'making takeouts');
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    await this.takeouts.failHopeless();
    for (;;) {
      const attempt = signal.aborted ? undefined : await this.takeouts.take();
      if (!attempt) return;
      await this.make(attempt, signal);
    }
  }

  private async make(attempt: Attempt, stopping: AbortSignal): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([stopping, lost.signal, AbortSignal.timeout(ATTEMPT_MS_MAX)]);
    const progress = { done: 0, parts: 1 };
    const hold = async (): Promise<void> => {
      if (!(await this.takeouts.renew(attempt, progress))) lost.abort();
    };
    // The lease outlasts a few failures.
    const holding = setInterval(() => void hold().catch(() => undefined), RENEW_MS);
    try {
      await this.scratch.use(async (folder) => {
        const target = path.join(folder, 'takeout.zip');
        const bytes = await this.archive.write({
          ...attempt,
          target,
          bytesMax: BYTES_MAX,
          signal,
          onPart: (done, parts) => Object.assign(progress, { done, parts }),
        });
        await this.keep(attempt, target, bytes);
      });
    } catch (error) {
      if (error instanceof TakeoutTooLarge) await this.takeouts.fail(attempt);
      else await this.takeouts.giveBack(attempt, { isStopping: stopping.aborted });
      if (!stopping.aborted) this.logger.warn({ err: error, takeoutId: attempt.id }, 'a takeout could not be made');
    } finally {
      clearInterval(holding);
    }
  }

  /** Should its account have been erased meanwhile, nobody may find the file. */
  private async keep(attempt: Attempt, target: string, bytes: number): Promise<void> {
    const key = takeoutKey(attempt.id);
    await this.files.put(key, target, 'application/zip');
    if ((await this.takeouts.finish(attempt, bytes)) || (await this.takeouts.exists(attempt.id))) return;
    await this.files.remove(key);
  }
}
