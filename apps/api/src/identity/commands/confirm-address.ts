import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Matches } from 'class-validator';
import { DataSource } from 'typeorm';
import { MailTokens } from '../mail/mail-tokens.js';
import { TOKEN } from '../random-token.js';

/** The token of a link that was sent by mail. */
export const LinkTokenField = (): PropertyDecorator =>
  Matches(TOKEN, {
    message: 'This link is incomplete. Please open it again from the mail.',
    context: { code: 'INVALID_LINK' },
  });

export class ConfirmAddressDto {
  /** From the link in the mail. */
  @LinkTokenField()
  token: string;
}

/**
 * The member has got the mail that was sent to their address. Only within a session of that account: somebody whose address
 * a stranger registered with does not vouch for the stranger by following the link.
 */
export class ConfirmAddress extends Command<void> {
  constructor(
    readonly memberId: string,
    readonly token: string,
  ) {
    super();
  }
}

@CommandHandler(ConfirmAddress)
export class ConfirmAddressHandler implements ICommandHandler<ConfirmAddress> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: MailTokens,
  ) {}

  /** @throws AppError 400 `INVALID_LINK` used, over, or another account's */
  async execute({ memberId, token }: ConfirmAddress): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.tokens.spend(manager, 'verify', token, memberId);
      await manager.query('update accounts set email_verified_at = now() where id = $1', [memberId]);
    });
  }
}
