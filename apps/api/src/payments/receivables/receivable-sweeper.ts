import { Inject, Injectable } from '@nestjs/common';
import type { Ledger } from '@app/ledger';
import { type Config, InjectConfig } from '../../platform/config.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { Rounds } from '../../platform/rounds.js';
import { ReadModels } from '../../wallet/read-models.js';

const SWEEP_EVERY_MS = 10_000;
const PAGE = 100;
/** Receivables of one round. */
const ROUND_MAX = 10_000;

/**
 * Repays what members owe as soon as they have Nova again, where the installation says so (`REPAY_SHORTFALLS`). Every
 * server does: of two that repay the same, the second finds nothing owed.
 */
@Injectable()
export class ReceivableSweeper extends Rounds {
  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly readModels: ReadModels,
    @InjectConfig() private readonly config: Config,
  ) {
    super({ firstAfterMs: SWEEP_EVERY_MS, everyMs: SWEEP_EVERY_MS }, 'repaying what members owe');
  }

  protected override async round(signal: AbortSignal): Promise<void> {
    if (this.config.repayShortfalls) await this.sweep(signal);
  }

  async sweep(signal?: AbortSignal): Promise<void> {
    // Repaying shortens the list, so it is read first.
    for (const { userId, reversalId } of await this.open()) {
      if (signal?.aborted) return;
      if ((await this.readModels.novaBalance(userId)) <= 0n) continue;
      // A refusal means that it was repaid or spent meanwhile.
      const command = { type: 'RepayShortfall', userId, reversalId } as const;
      await this.ledger.execute({ command, actor: 'process' });
    }
  }

  private async open() {
    const found = [];
    for (let offset = 0; offset < ROUND_MAX; offset += PAGE) {
      const { rows } = await this.readModels.receivables.open({ limit: PAGE, offset });
      found.push(...rows);
      if (rows.length < PAGE) break;
    }
    return found;
  }
}
