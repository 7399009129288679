import { Inject, Injectable } from '@nestjs/common';
import { AMOUNT_MAX } from '@app/domain';
import type { Ledger } from '@app/ledger';
import { LEDGER } from '../platform/ledger/injected-ledger.js';

/** An application as the ledger identifies its wallet. */
export interface OwnedApplication {
  readonly clientId: string;
  readonly ownerId: string;
}

/**
 * Reads balances of applications' wallets from the ledger itself, because deleting an application must not rely on a
 * lagging read model.
 */
@Injectable()
export class ApplicationWallets {
  constructor(@Inject(LEDGER) private readonly ledger: Ledger) {}

  /** Minor units of Nova. */
  async balance({ clientId, ownerId }: OwnedApplication): Promise<bigint> {
    const outcome = await this.ledger.execute({
      command: { type: 'WithdrawAppWallet', clientId, ownerId, amount: AMOUNT_MAX },
      actor: `member:${ownerId}`,
      dryRun: true,
    });
    if (outcome.status === 'accepted') return AMOUNT_MAX;
    return outcome.status === 'refused' ? (outcome.rejection.available ?? 0n) : 0n;
  }

  /** Returns everything to the developer: for Nova that arrived while the application was being deleted. */
  async empty({ clientId, ownerId }: OwnedApplication): Promise<void> {
    const amount = await this.balance({ clientId, ownerId });
    if (amount === 0n) return;
    await this.ledger.execute({
      command: { type: 'WithdrawAppWallet', clientId, ownerId, amount },
      actor: 'process',
      cause: `application-deleted:${clientId}`,
    });
  }
}
