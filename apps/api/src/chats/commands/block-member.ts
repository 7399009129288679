import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { MessageResponse } from '../../identity/message.dto.js';
import { MemberRelations, type Towards } from '../../members/member-relations.js';
import { ChatBlocks } from '../chat-blocks.js';
import { ChatReadModels } from '../chat-read-models.js';

export class BlockMember extends Command<MessageResponse> {
  constructor(readonly towards: Towards) {
    super();
  }
}

/** Blocks a member, and ends the request between the two if there is one. */
@CommandHandler(BlockMember)
export class BlockMemberHandler implements ICommandHandler<BlockMember> {
  constructor(
    private readonly relations: MemberRelations,
    private readonly blocks: ChatBlocks,
    private readonly readModels: ChatReadModels,
  ) {}

  /** @throws AppError 400 oneself, 404 */
  async execute({ towards }: BlockMember): Promise<MessageResponse> {
    const { memberId, otherId } = towards;
    await this.relations.act(towards, { type: 'Block' });
    const ended = await this.blocks.endRequests(memberId, otherId, { correlationId: towards.requestId });
    if (ended) await this.readModels.movedUpTo(ended.chatId, ended.revision);
    return { message: 'This member is blocked.' };
  }
}
