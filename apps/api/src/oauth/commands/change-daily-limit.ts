import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { applicationNotFound } from '../application-not-found.js';
import type { ChangedDailyLimitDto } from '../consent.dto.js';
import { Consents } from '../consents.js';
import { DAILY_LIMIT_DEFAULT } from '../limits.js';

export class ChangeDailyLimit extends Command<ChangedDailyLimitDto> {
  constructor(
    readonly member: SignedInMember,
    readonly clientId: string,
    readonly dailyLimit: number,
  ) {
    super();
  }
}

/** Changes how much Nova an application may spend and transfer each UTC day. */
@CommandHandler(ChangeDailyLimit)
export class ChangeDailyLimitHandler implements ICommandHandler<ChangeDailyLimit> {
  constructor(
    private readonly consents: Consents,
    private readonly proofs: FreshProofs,
  ) {}

  /** @throws AppError 404, 403 `FRESH_PROOF_NEEDED` above the default limit */
  async execute({ member, clientId, dailyLimit }: ChangeDailyLimit): Promise<ChangedDailyLimitDto> {
    if (dailyLimit > DAILY_LIMIT_DEFAULT) await this.proofs.require(member);
    if (!(await this.consents.setDailyLimit(member.id, clientId, toMinor(dailyLimit)))) throw applicationNotFound();
    return { message: 'Daily limit changed', dailyLimit };
  }
}
