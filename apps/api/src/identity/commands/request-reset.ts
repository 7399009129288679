import { setTimeout as sleep } from 'node:timers/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource, IsNull, Not } from 'typeorm';
import { networkOf } from '../../platform/http/network.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.js';
import { emailKey } from '../../platform/text.js';
import { EmailField, MESSAGES } from '../credentials.dto.js';
import { Account } from '../entities.js';
import { Mailer } from '../mail/mailer.js';
import { OutgoingMails } from '../mail/outgoing-mails.js';
import { mailNotSetUp } from './request-verification.js';

/**
 * Every answer takes this long, far longer than the work for one, so that its time does not reveal who has an account.
 */
const ANSWER_MS = 400;

export class RequestResetDto {
  @EmailField(MESSAGES.required)
  email: string;
}

/**
 * Sends a link that sets a new password to the account with this address, where its member has confirmed the address: one that
 * was mistyped at registration is somebody else's.
 */
export class RequestReset extends Command<void> {
  constructor(
    readonly email: string,
    /** The caller's network address. */
    readonly address: string,
  ) {
    super();
  }
}

@CommandHandler(RequestReset)
export class RequestResetHandler implements ICommandHandler<RequestReset> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimits,
    private readonly mailer: Mailer,
    private readonly mails: OutgoingMails,
  ) {}

  /**
   * The same for an address without an account, for one that is not confirmed, and beyond the limit of three in an hour.
   * @throws AppError 409 `MAIL_NOT_SET_UP`, 429 too many from this network
   */
  async execute({ email, address }: RequestReset): Promise<void> {
    if (!this.mailer.isSetUp) throw mailNotSetUp();
    await this.limits.resetMails.take(networkOf(address));
    await Promise.all([this.send(emailKey(email)), sleep(ANSWER_MS)]);
  }

  private async send(key: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const account = await manager.findOneBy(Account, {
        emailKey: key,
        closedAt: IsNull(),
        emailVerifiedAt: Not(IsNull()),
      });
      if (account) await this.mails.reset(manager, account);
    });
  }
}
