import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SignedInMember } from '../../platform/auth/member.js';
import { AccountSecrets } from '../account-secrets.js';
import { Credentials } from '../credentials.js';
import { MESSAGES, NewPasswordField, PasswordField } from '../credentials.dto.js';
import { MessageResponse } from '../message.dto.js';
import type { EndedWithSecret } from '../secret-changes.js';

export class ChangePasswordDto {
  @PasswordField(MESSAGES.required)
  currentPassword: string;

  /** At least 8 characters. */
  @NewPasswordField(MESSAGES.required)
  newPassword: string;
}

export class ChangedPasswordResponse extends MessageResponse {
  /** Names of the applications that might spend the member's Nova and lost their consent. */
  revokedApplications: string[];
}

/** Sets a new password by the current one. The session that asked lasts; every other one of the account ends. */
export class ChangePassword extends Command<EndedWithSecret> {
  constructor(
    readonly member: SignedInMember,
    readonly passwords: ChangePasswordDto,
  ) {
    super();
  }
}

@CommandHandler(ChangePassword)
export class ChangePasswordHandler implements ICommandHandler<ChangePassword> {
  constructor(
    private readonly credentials: Credentials,
    private readonly secrets: AccountSecrets,
  ) {}

  /** @throws AppError 403 `WRONG_PASSWORD`, 401 the session ended meanwhile, 429 too many failures */
  async execute({ member, passwords }: ChangePassword): Promise<EndedWithSecret> {
    await this.credentials.confirm(member, passwords.currentPassword);
    return this.secrets.changeWithin(member, { kind: 'password', secret: passwords.newPassword });
  }
}
