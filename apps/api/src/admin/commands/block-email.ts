import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { v7 as uuidv7 } from 'uuid';
import { EmailField } from '../../identity/credentials.dto.js';
import { EMAIL_MAX } from '../../identity/limits.js';
import { mailboxKey } from '../../identity/mailbox-key.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { AdminReasons } from '../admin-reasons.js';
import { BlockedEmails } from '../../identity/blocked-emails.js';
import { BlockedEmailDto } from '../queries/list-blocked-emails.js';
import { Moderation } from '../moderation.js';
import { ReasonDto } from '../reason.dto.js';

/** `POST /api/admin/block-email` (rule admin-10). */
export class BlockEmailDto extends ReasonDto {
  @ApiProperty({ format: 'email', maxLength: EMAIL_MAX })
  @EmailField('An email address is required.')
  email: string;
}

/** The address, and what is said about it. */
export class BlockedEmailAnswerDto {
  blockedEmail: BlockedEmailDto;

  @ApiProperty({ example: 'mallory@example.com can no longer be used to register.' })
  message: string;
}

export class BlockEmail extends Command<BlockedEmailAnswerDto> {
  constructor(
    readonly email: string,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

/** Keeps an address, however it is written, from registering. An account that has it stays as it is. */
@CommandHandler(BlockEmail)
export class BlockEmailHandler implements ICommandHandler<BlockEmail> {
  constructor(
    private readonly acts: AdminActs,
    private readonly reasons: AdminReasons,
    private readonly moderation: Moderation,
    private readonly blocked: BlockedEmails,
  ) {}

  /** @throws AppError 409 `EMAIL_BLOCKED_ALREADY`, 503 */
  async execute({ email, by }: BlockEmail): Promise<BlockedEmailAnswerDto> {
    const mailbox = mailboxKey(email);
    if (await this.blocked.isBlocked(mailbox)) throw blockedAlready(email);
    const id = uuidv7();
    const { adminId, requestId } = by;
    const reasonId = await this.acts.reasonRow(id, by);
    const act = { type: 'EmailBlocked', adminId, targetId: id, subjectId: null, reasonId } as const;
    const isNew = await this.blocked.add({ id, email, mailbox, adminId, reasonId }, () =>
      this.moderation.record(act, requestId),
    );
    if (!isNew && reasonId !== null) await this.reasons.discard(reasonId);
    const blockedEmail = await this.blocked.find(id);
    if (!isNew || !blockedEmail) throw blockedAlready(email);
    return { blockedEmail, message: `${email} can no longer be used to register.` };
  }
}

const blockedAlready = (email: string): AppError =>
  new AppError(409, 'EMAIL_BLOCKED_ALREADY', `${email} is already blocked.`);
