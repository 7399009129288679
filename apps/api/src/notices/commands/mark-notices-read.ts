import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Notices } from '../notices.js';

/** The member has read their notices up to this one, on whichever device. */
export class MarkNoticesRead extends Command<void> {
  constructor(
    readonly memberId: string,
    readonly newestId: string,
  ) {
    super();
  }
}

@CommandHandler(MarkNoticesRead)
export class MarkNoticesReadHandler implements ICommandHandler<MarkNoticesRead> {
  constructor(private readonly notices: Notices) {}

  execute({ memberId, newestId }: MarkNoticesRead): Promise<void> {
    return this.notices.markRead(memberId, newestId);
  }
}
