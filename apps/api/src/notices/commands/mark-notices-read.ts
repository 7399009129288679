import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Notices, type ReadNotices } from '../notices.js';

/** The member has read their notices up to this one, or those of one chat, on whichever device. */
export class MarkNoticesRead extends Command<void> {
  constructor(
    readonly memberId: string,
    readonly read: ReadNotices,
  ) {
    super();
  }
}

@CommandHandler(MarkNoticesRead)
export class MarkNoticesReadHandler implements ICommandHandler<MarkNoticesRead> {
  constructor(private readonly notices: Notices) {}

  execute({ memberId, read }: MarkNoticesRead): Promise<void> {
    return this.notices.markRead(memberId, read);
  }
}
