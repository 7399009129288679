import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource, IsNull } from 'typeorm';
import { emailKey } from '../../platform/text.js';
import { AccountSecrets } from '../account-secrets.js';
import { type Caller, Credentials } from '../credentials.js';
import { EmailField, MESSAGES, NewPasswordField, PinField } from '../credentials.dto.js';
import { Account } from '../entities.js';
import { RecoveryAttempts } from '../recovery-attempts.js';
import { type Asker, SecretHashing } from '../secret-hashing.js';

export class RecoverDto {
  @EmailField(MESSAGES.required)
  email: string;

  /** The recovery PIN from registration. */
  @PinField(MESSAGES.required)
  pin: string;

  /** At least 8 characters. */
  @NewPasswordField(MESSAGES.required)
  newPassword: string;
}

/** Sets a new password by the recovery PIN and ends every session of the account. Admins do not recover by PIN. */
export class RecoverPassword extends Command<void> {
  constructor(
    readonly recovery: RecoverDto,
    readonly caller: Caller,
  ) {
    super();
  }
}

@CommandHandler(RecoverPassword)
export class RecoverPasswordHandler implements ICommandHandler<RecoverPassword> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials: Credentials,
    private readonly hashing: SecretHashing,
    private readonly attempts: RecoveryAttempts,
    private readonly secrets: AccountSecrets,
  ) {}

  /**
   * @throws AppError 401 wrong PIN, no such account or an admin's, 429 `RECOVERY_LOCKED` while recovery by PIN is paused, 429 too many
   * failures, 503 busy, which counts as no attempt
   */
  async execute({ recovery: { email, pin, newPassword }, caller }: RecoverPassword): Promise<void> {
    const key = emailKey(email);
    const deviceId = await this.credentials.knownDevice(key, caller);
    // A PIN is too weak for an admin's rights.
    const open = { emailKey: key, closedAt: IsNull(), isAdmin: false };
    const account = (await this.dataSource.getRepository(Account).findOneBy(open)) ?? undefined;
    const prove = async (asker: Asker): Promise<Account | undefined> =>
      (await this.hashing.verify(account?.pinHash, pin, asker)) ? account : undefined;
    const proven =
      deviceId === undefined
        ? await this.credentials.counted(this.credentials.strangerBuckets(key, caller), () =>
            this.attempts.counted(key, account, () => prove(caller)),
          )
        : await this.credentials.counted([this.credentials.devicePinBucket(deviceId)], () =>
            prove({ member: deviceId }),
          );
    await this.secrets.recover(proven, newPassword);
  }
}
