import { Injectable } from '@nestjs/common';
import type { AccessToken } from '../oauth/access-tokens.js';
import type { Accepted } from '../platform/errors/rejections.js';
import { toNova } from '../wallet/nova-amount.js';
import { ReadModels } from '../wallet/read-models.js';

/** The answers to applications about movements that took effect. */
@Injectable()
export class MovementAnswers {
  constructor(private readonly readModels: ReadModels) {}

  /** The member's balance after the movement; for a repeat, the current balance. */
  async standing({ memberId }: AccessToken, accepted: Accepted): Promise<{ novaBalance: number; projected: boolean }> {
    const { projected } = await this.readModels.caughtUp(accepted.revision);
    const balance = accepted.balances?.get(memberId) ?? (await this.readModels.novaBalance(memberId));
    return { novaBalance: toNova(balance), projected };
  }

  /** What is left of the daily limit, in Nova. */
  async leftToday({ memberId, clientId, dailyLimit }: AccessToken, { spentToday }: Accepted): Promise<number> {
    const spent = spentToday ?? (await this.readModels.applications.spentToday(memberId, clientId));
    return leftOf(dailyLimit, spent);
  }
}

/** Never negative, even if the limit was lowered below what was spent. */
export const leftOf = (dailyLimit: bigint, spent: bigint): number =>
  toNova(spent < dailyLimit ? dailyLimit - spent : 0n);
