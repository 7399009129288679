import { Injectable } from '@nestjs/common';
import { CONTROLS_TARGET, type Controls, type ControlsState, evolveControls, NO_CONTROLS } from '@app/domain';
import { AdminRights } from '../../identity/admin-rights.js';
import { type Actor, Moderation } from '../moderation.js';

const FOLD = { initial: NO_CONTROLS, evolve: evolveControls };

/** The limits for admins: the threshold above which acts need a second admin, and the daily cap (rules admin-19 to admin-21). */
@Injectable()
export class ControlSettings {
  constructor(
    private readonly moderation: Moderation,
    private readonly rights: AdminRights,
  ) {}

  /** Read from the journal, so that every server decides on the last change. @throws AppError 503 */
  current(): Promise<ControlsState> {
    return this.moderation.read(CONTROLS_TARGET, FOLD);
  }

  /** What an admin's grant may come to on a day, as the ledger's commands take it. @throws AppError 503 */
  async cap(): Promise<{ readonly dailyLimit?: bigint }> {
    const { dailyCap } = await this.current();
    return dailyCap === null ? {} : { dailyLimit: dailyCap };
  }

  /** The same with how many admins there are. @throws AppError 503 */
  async standing(): Promise<{ readonly controls: ControlsState; readonly admins: number }> {
    const [controls, admins] = await Promise.all([this.current(), this.rights.all()]);
    return { controls, admins: admins.size };
  }

  /**
   * Changes them, unless they are so already. An approved act changes them once.
   * @param waits whether the change from the current ones waits for a second admin: then nothing is changed
   * @returns whether they were changed, or the change waits
   * @throws AppError 503
   */
  async change(
    to: Controls,
    by: Actor & { readonly reasonId: string | null; readonly approvalId: string | null },
    waits: (before: Controls) => boolean,
  ): Promise<{ readonly changed: boolean; readonly waits: boolean }> {
    const { adminId, reasonId, approvalId: subjectId } = by;
    const act = { type: 'ControlsChanged', adminId, targetId: CONTROLS_TARGET, subjectId, reasonId } as const;
    const decision = await this.moderation.decide(
      CONTROLS_TARGET,
      FOLD,
      (state, at) => {
        if (subjectId !== null && state.applied.has(subjectId)) return { events: [], waits: false };
        if (waits(state)) return { events: [], waits: true };
        if (state.threshold === to.threshold && state.dailyCap === to.dailyCap) return { events: [], waits: false };
        return { events: [{ ...act, threshold: to.threshold, dailyCap: to.dailyCap, at }], waits: false };
      },
      by,
    );
    return { changed: decision.events.length > 0, waits: decision.waits };
  }
}
