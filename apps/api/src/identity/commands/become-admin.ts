import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { AppError } from '../../platform/errors/app-error.js';
import { Trimmed } from '../../platform/text.js';
import { FirstAdmin } from '../first-admin.js';
import { ONE_TIME_WORD_LENGTH_MAX } from '../one-time-words.js';

const WRONG_WORD = 'This word is wrong, was used before or is too old.';

export class AdminWordDto {
  /** As the command line prints it, or the file that the start names holds it. */
  @MaxLength(ONE_TIME_WORD_LENGTH_MAX, { message: WRONG_WORD, context: { code: 'WRONG_WORD' } })
  @IsString({ message: WRONG_WORD, context: { code: 'WRONG_WORD' } })
  @Trimmed()
  @IsNotEmpty({ message: 'The word is required.', context: { code: 'REQUIRED' } })
  word: string;
}

/** Makes the account with `ADMIN_EMAIL` an admin by its one-time word. */
export class BecomeAdmin extends Command<void> {
  constructor(
    readonly accountId: string,
    readonly word: string,
  ) {
    super();
  }
}

@CommandHandler(BecomeAdmin)
export class BecomeAdminHandler implements ICommandHandler<BecomeAdmin> {
  constructor(private readonly firstAdmin: FirstAdmin) {}

  /** @throws AppError 403 `WRONG_WORD`, the same for an account that no word makes an admin */
  async execute({ accountId, word }: BecomeAdmin): Promise<void> {
    if (!(await this.firstAdmin.promote(accountId, word))) throw new AppError(403, 'WRONG_WORD', WRONG_WORD);
  }
}
