import { Injectable } from '@nestjs/common';
import { Rounds } from '../../platform/rounds.js';
import { WaitingFiles } from '../bulk-grants/waiting-files.js';
import { ApprovalList } from './approval-list.js';
import { Approvals } from './approvals.js';

const SWEEP_EVERY_MS = 5_000;

/** Carries out approved acts that were interrupted, in every process: an act that two take up happens once. */
@Injectable()
export class ApprovalSweeper extends Rounds {
  constructor(
    private readonly list: ApprovalList,
    private readonly approvals: Approvals,
    private readonly files: WaitingFiles,
  ) {
    super({ firstAfterMs: SWEEP_EVERY_MS, everyMs: SWEEP_EVERY_MS }, 'carrying out approved acts');
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.sweep(signal);
  }

  /** One act that fails keeps no other from being done. */
  async sweep(signal?: AbortSignal): Promise<void> {
    await this.files.sweep();
    for (const id of await this.list.unfinished()) {
      if (signal?.aborted) return;
      await this.approvals
        .goOn(id)
        .catch((error: unknown) =>
          this.logger.warn(
            { err: error, approvalId: id },
            'an approved act could not be done yet; the next round retries',
          ),
        );
    }
  }
}
