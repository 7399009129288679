import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { IsUUID } from 'class-validator';
import type { SignedInMember } from '../../platform/auth/member.js';
import { SecurityNotices } from '../security-notices.js';

export class MarkNoticesSeenDto {
  /** The newest notice that was shown; it and older ones count as seen on this device. */
  @IsUUID(undefined, { message: 'Please say which notice was seen.', context: { code: 'INVALID_NOTICE' } })
  newestId: string;
}

/** The member has seen their security notices on this device. */
export class MarkNoticesSeen extends Command<void> {
  constructor(
    readonly member: SignedInMember,
    readonly newestId: string,
  ) {
    super();
  }
}

@CommandHandler(MarkNoticesSeen)
export class MarkNoticesSeenHandler implements ICommandHandler<MarkNoticesSeen> {
  constructor(private readonly notices: SecurityNotices) {}

  async execute({ member, newestId }: MarkNoticesSeen): Promise<void> {
    await this.notices.markSeen(member, newestId);
  }
}
