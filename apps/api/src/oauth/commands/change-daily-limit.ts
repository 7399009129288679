import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { toMinor } from '../../wallet/nova-amount.js';
import { applicationNotFound } from '../application-not-found.js';
import type { ChangedDailyLimitDto } from '../consent.dto.js';
import { Consents } from '../consents.js';

export class ChangeDailyLimit extends Command<ChangedDailyLimitDto> {
  constructor(
    readonly memberId: string,
    readonly clientId: string,
    readonly dailyLimit: number,
  ) {
    super();
  }
}

/** How much Nova an application may spend and transfer a UTC day. */
@CommandHandler(ChangeDailyLimit)
export class ChangeDailyLimitHandler implements ICommandHandler<ChangeDailyLimit> {
  constructor(private readonly consents: Consents) {}

  /** @throws AppError 404 */
  async execute({ memberId, clientId, dailyLimit }: ChangeDailyLimit): Promise<ChangedDailyLimitDto> {
    if (!(await this.consents.setDailyLimit(memberId, clientId, toMinor(dailyLimit)))) throw applicationNotFound();
    return { message: 'Daily limit changed', dailyLimit };
  }
}
