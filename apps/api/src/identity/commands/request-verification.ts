import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource, IsNull } from 'typeorm';
import { AppError, unauthenticated } from '../../platform/errors/app-error.js';
import { Account } from '../entities.js';
import { Mailer } from '../mail/mailer.js';
import { MAIL_LIMITS, OutgoingMails } from '../mail/outgoing-mails.js';

/** Sends the member a link that proves their address. */
export class RequestVerification extends Command<void> {
  constructor(readonly memberId: string) {
    super();
  }
}

@CommandHandler(RequestVerification)
export class RequestVerificationHandler implements ICommandHandler<RequestVerification> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    private readonly mails: OutgoingMails,
  ) {}

  /** @throws AppError 409 `MAIL_NOT_SET_UP`, `EMAIL_VERIFIED`; 429 `TOO_MANY_MAILS` three in an hour */
  async execute({ memberId }: RequestVerification): Promise<void> {
    if (!this.mailer.isSetUp) throw mailNotSetUp();
    await this.dataSource.transaction(async (manager) => {
      const account = await manager.findOneBy(Account, { id: memberId, closedAt: IsNull() });
      if (!account) throw unauthenticated();
      if (account.emailVerifiedAt) {
        throw new AppError(409, 'EMAIL_VERIFIED', 'Your email address is already confirmed.');
      }
      if (!(await this.mails.verification(manager, account))) throw tooManyMails();
    });
  }
}

/** This installation has no mail server. */
export const mailNotSetUp = (): AppError =>
  new AppError(409, 'MAIL_NOT_SET_UP', 'This installation does not send mail.');

const tooManyMails = (): AppError =>
  new AppError(
    429,
    'TOO_MANY_MAILS',
    'We have sent you several mails already. Please look for them, or try again later.',
    {
      retryAfterSeconds: MAIL_LIMITS.verify.windowMs / 1000,
    },
  );
