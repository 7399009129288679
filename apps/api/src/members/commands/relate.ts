import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { MemberRelations, type Towards } from '../member-relations.js';

const DONE = {
  Follow: 'You follow this member.',
  Unfollow: 'You no longer follow this member.',
  Unblock: 'This member is no longer blocked.',
} as const;

export class Relate extends Command<MessageResponse> {
  constructor(
    readonly type: keyof typeof DONE,
    readonly towards: Towards,
  ) {
    super();
  }
}

/** Follows, unfollows or unblocks a member. Repeating has no effect. Blocking does more: see `BlockMember`. */
@CommandHandler(Relate)
export class RelateHandler implements ICommandHandler<Relate> {
  constructor(private readonly relations: MemberRelations) {}

  /** @throws AppError 400 oneself, 404, 409 blocked by oneself */
  async execute({ type, towards }: Relate): Promise<MessageResponse> {
    await this.relations.act(towards, { type });
    return { message: DONE[type] };
  }
}
