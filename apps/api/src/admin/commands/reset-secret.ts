import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { hasSecondEye, isolated, PASSWORD_MAX, RESET_PASSWORD_MIN, RESET_PIN_LENGTH } from '@app/domain';
import { IsNotEmpty, Matches } from 'class-validator';
import { AccountSecrets, type NewSecret } from '../../identity/account-secrets.js';
import type { MessageResponse } from '../../identity/message.dto.js';
import { AppError, notFound } from '../../platform/errors/app-error.js';
import { IsPlainText } from '../../platform/text.js';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { AdminUsers } from '../admin-users.js';
import { ControlSettings } from '../controls/controls.js';
import { ReasonDto } from '../reason.dto.js';

const RESET_PIN = new RegExp(`^[0-9]{${RESET_PIN_LENGTH}}$`);

/** `POST /api/admin/users/{id}/reset-password`. */
export class ResetPasswordDto extends ReasonDto {
  @ApiProperty({ minLength: RESET_PASSWORD_MIN, maxLength: PASSWORD_MAX })
  @IsPlainText(
    { min: RESET_PASSWORD_MIN, max: PASSWORD_MAX },
    {
      message: `Password must be at least ${RESET_PASSWORD_MIN} characters and at most ${PASSWORD_MAX}.`,
      context: { code: 'INVALID_PASSWORD' },
    },
  )
  @IsNotEmpty({ message: 'A new password is required.', context: { code: 'REQUIRED' } })
  newPassword: string;
}

/** `POST /api/admin/users/{id}/reset-pin`. */
export class ResetPinDto extends ReasonDto {
  @ApiProperty({ pattern: RESET_PIN.source, example: '0420' })
  @Matches(RESET_PIN, { message: `PIN must be exactly ${RESET_PIN_LENGTH} digits.`, context: { code: 'INVALID_PIN' } })
  @IsNotEmpty({ message: 'A new PIN is required.', context: { code: 'REQUIRED' } })
  newPin: string;
}

export class ResetSecret extends Command<MessageResponse> {
  constructor(
    readonly userId: string,
    readonly next: NewSecret,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

/** Gives a member a new password or recovery PIN. All their sessions end (rule accounts-10). */
@CommandHandler(ResetSecret)
export class ResetSecretHandler implements ICommandHandler<ResetSecret> {
  constructor(
    private readonly users: AdminUsers,
    private readonly acts: AdminActs,
    private readonly secrets: AccountSecrets,
    private readonly controls: ControlSettings,
  ) {}

  /** @throws AppError 404 no such user, 409 `CANNOT_RESET_ADMIN`, 503 */
  async execute({ userId, next, by }: ResetSecret): Promise<MessageResponse> {
    const user = await this.users.find(userId);
    if (!user) throw notFound('This user');
    if (user.isAdmin && userId !== by.adminId) await this.refuseForAdmins();
    const type = next.kind === 'password' ? 'PasswordReset' : 'PinReset';
    await this.acts.record({ type, targetId: userId, subjectId: null }, by);
    await this.secrets.reset(userId, next);
    const what = next.kind === 'password' ? 'password' : 'PIN';
    return { message: `The ${what} of ${isolated(user.displayName)} was reset. They are signed out everywhere.` };
  }

  /** Whoever sets another admin's password could approve their own acts with it (rule admin-19). */
  private async refuseForAdmins(): Promise<void> {
    const { controls, admins } = await this.controls.standing();
    if (!hasSecondEye(controls, admins)) return;
    throw new AppError(
      409,
      'CANNOT_RESET_ADMIN',
      'While acts need a second admin, no admin sets the password or PIN of another.',
    );
  }
}
