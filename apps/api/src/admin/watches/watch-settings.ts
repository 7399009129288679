import { Inject, Injectable } from '@nestjs/common';
import { evolveWatches, WATCHES_MAX, WATCHES_TARGET, type WatchSet } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { type Actor, Moderation } from '../moderation.js';

/** A watch as an admin sets it. */
export type NewWatch = Pick<WatchSet, 'account' | 'direction' | 'limit'>;

const FOLD = { initial: new Map<string, WatchSet>() as ReadonlyMap<string, WatchSet>, evolve: evolveWatches };

/** Which balances are watched (rule admin-22). */
@Injectable()
export class WatchSettings {
  constructor(
    private readonly moderation: Moderation,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'revision'>,
  ) {}

  /** By id, the oldest first. @throws AppError 503 */
  all(): Promise<ReadonlyMap<string, WatchSet>> {
    return this.moderation.read(WATCHES_TARGET, FOLD);
  }

  /** @throws AppError 409 `TOO_MANY_WATCHES`, 503 */
  async add(watchId: string, watch: NewWatch, by: Actor & { readonly reasonId: string | null }): Promise<void> {
    const { adminId, reasonId } = by;
    const act = { type: 'WatchSet', adminId, targetId: WATCHES_TARGET, subjectId: watchId, reasonId } as const;
    const { isFull } = await this.moderation.decide(
      WATCHES_TARGET,
      FOLD,
      (watches, at) =>
        watches.size < WATCHES_MAX
          ? { events: [{ ...act, at, ...watch, fromRevision: this.ledger.revision }], isFull: false }
          : { events: [], isFull: true },
      by,
    );
    if (!isFull) return;
    throw new AppError(409, 'TOO_MANY_WATCHES', `There are ${WATCHES_MAX} watches already. Remove one first.`);
  }

  /** @throws AppError 404, 503 */
  async remove(watchId: string, by: Actor): Promise<void> {
    const { adminId } = by;
    const act = {
      type: 'WatchRemoved',
      adminId,
      targetId: WATCHES_TARGET,
      subjectId: watchId,
      reasonId: null,
    } as const;
    const { events } = await this.moderation.decide(
      WATCHES_TARGET,
      FOLD,
      (watches, at) => ({ events: watches.has(watchId) ? [{ ...act, at }] : [] }),
      by,
    );
    if (events.length === 0) throw notFound('This watch');
  }
}
