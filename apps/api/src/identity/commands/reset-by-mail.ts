import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AccountSecrets } from '../account-secrets.js';
import { MESSAGES, NewPasswordField } from '../credentials.dto.js';
import { MailTokens } from '../mail/mail-tokens.js';
import { LinkTokenField } from './confirm-address.js';

export class ResetByMailDto {
  /** From the link in the mail. */
  @LinkTokenField()
  token: string;

  /** At least 8 characters. */
  @NewPasswordField(MESSAGES.required)
  newPassword: string;
}

/** Sets a new password by the link that was sent to the account's address, and ends every session of the account. */
export class ResetByMail extends Command<void> {
  constructor(
    readonly reset: ResetByMailDto,
    /** The caller's network address. */
    readonly address: string,
  ) {
    super();
  }
}

@CommandHandler(ResetByMail)
export class ResetByMailHandler implements ICommandHandler<ResetByMail> {
  constructor(
    private readonly tokens: MailTokens,
    private readonly secrets: AccountSecrets,
  ) {}

  /** @throws AppError 400 `INVALID_LINK` used or over; 503 busy, which leaves the link as it was */
  async execute({ reset: { token, newPassword } }: ResetByMail): Promise<void> {
    // Only holders of a link cause costly work.
    const accountId = await this.tokens.accountOf('reset', token);
    await this.secrets.recoverByLink(accountId, newPassword, (manager) =>
      this.tokens.spend(manager, 'reset', token, accountId),
    );
  }
}
