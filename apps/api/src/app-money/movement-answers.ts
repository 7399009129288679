import { Injectable } from '@nestjs/common';
import type { AccessToken } from '../oauth/access-tokens.js';
import type { Accepted } from '../platform/errors/rejections.js';
import { toNova } from '../wallet/nova-amount.js';
import type { ApplicationMoney } from './application-money.js';

interface Standing {
  readonly novaBalance: number;
  readonly projected: boolean;
  readonly livemode: boolean;
}

/** The answers to applications about movements that took effect. */
@Injectable()
export class MovementAnswers {
  /** The member's balance after the movement; for a repeat, the current balance. */
  async standing({ memberId }: AccessToken, accepted: Accepted, money: ApplicationMoney): Promise<Standing> {
    const { projected } = await money.caughtUp(accepted.revision);
    const balance = accepted.balances?.get(memberId) ?? (await money.novaBalance(memberId));
    return { novaBalance: toNova(balance), projected, livemode: money.livemode };
  }

  /** What is left of the daily limit, in Nova. */
  async leftToday(
    { memberId, dailyLimit }: AccessToken,
    { spentToday }: Accepted,
    money: ApplicationMoney,
  ): Promise<number> {
    const spent = spentToday ?? (await money.spentToday(memberId));
    return leftOf(dailyLimit, spent);
  }
}

/** Never negative, even if the limit was lowered below what was spent. */
export const leftOf = (dailyLimit: bigint, spent: bigint): number =>
  toNova(spent < dailyLimit ? dailyLimit - spent : 0n);
