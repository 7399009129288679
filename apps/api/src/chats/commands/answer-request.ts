import { isolated } from '@app/domain';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { KeyUses } from '../../platform/key-uses/key-uses.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ChatCommands } from '../chat-commands.js';
import { ChatViews, refundedOf } from '../chat-views.js';
import type { AcceptedChatDto, DeclinedChatDto } from '../chats.dto.js';
import type { ChatCaller } from '../chat-commands.js';

export class AcceptRequest extends Command<AcceptedChatDto> {
  constructor(
    readonly chatId: string,
    readonly caller: ChatCaller,
  ) {
    super();
  }
}

/** The host takes the request; the first message is due within three minutes (rule chats-10). */
@CommandHandler(AcceptRequest)
export class AcceptRequestHandler implements ICommandHandler<AcceptRequest> {
  constructor(
    private readonly commands: ChatCommands,
    private readonly views: ChatViews,
  ) {}

  /** @throws AppError 403 not the host, 404, 409 expired or answered already */
  async execute({ chatId, caller }: AcceptRequest): Promise<AcceptedChatDto> {
    const chat = await this.commands.run(chatId, { type: 'AcceptChat', memberId: caller.memberId }, caller);
    const view = await this.views.view(chat, 'host');
    return { message: `The chat with ${isolated(view.initiator.displayName)} is open.`, chatId, chat: view };
  }
}

export class DeclineRequest extends Command<DeclinedChatDto> {
  constructor(
    readonly chatId: string,
    readonly caller: ChatCaller,
  ) {
    super();
  }
}

/** The host does not want it: the initiator has their Nova back (rule chats-7). */
@CommandHandler(DeclineRequest)
export class DeclineRequestHandler implements ICommandHandler<DeclineRequest> {
  constructor(
    private readonly keys: KeyUses,
    private readonly commands: ChatCommands,
  ) {}

  /** @throws AppError 403 not the host, 404, 409 expired or answered already, 422 key reused */
  async execute({ chatId, caller }: DeclineRequest): Promise<DeclinedChatDto> {
    const { memberId, idempotencyKey: key } = caller;
    const { state } = await this.keys.guard({ scope: `member:${memberId}:chats.decline`, key, body: [chatId] }, () =>
      this.commands.run(chatId, { type: 'DeclineChat', memberId }, caller),
    );
    return { message: 'The request was declined and the Nova refunded.', chatId, refunded: toNova(refundedOf(state)) };
  }
}
