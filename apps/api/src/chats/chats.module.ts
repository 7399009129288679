import type { EventStore } from '@app/event-store';
import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity/identity.module.js';
import { MembersModule } from '../members/members.module.js';
import { EVENT_STORE } from '../platform/journal/injected-journal.js';
import { StreamMetadata } from '../platform/journal/stream-metadata.js';
import { ProfilesModule } from '../profiles/profiles.module.js';
import { WalletModule } from '../wallet/wallet.module.js';
import { ChatAccess } from './chat-access.js';
import { ChatBlocks } from './chat-blocks.js';
import { ChatCommands } from './chat-commands.js';
import { ChatClock, ChatMessages } from './chat-messages.js';
import { ChatPairs } from './chat-pairs.js';
import { ChatPartiesDirectory } from './chat-parties.js';
import { ChatPayouts, PerpetualBenefits } from './chat-payouts.js';
import { ChatReadModels } from './chat-read-models.js';
import { ChatReads } from './chat-reads.js';
import { ChatSettlement } from './chat-settlement.js';
import { ChatStore } from './chat-store.js';
import { ChatTexts } from './chat-texts.js';
import { ChatViews } from './chat-views.js';
import { ChatsController } from './chats.controller.js';
import { AcceptRequestHandler, DeclineRequestHandler } from './commands/answer-request.js';
import { BlockMemberHandler } from './commands/block-member.js';
import { ExitChatHandler } from './commands/exit-chat.js';
import { ChatPairing, InitiateChatHandler } from './commands/initiate-chat.js';
import { MarkChatReadHandler } from './commands/mark-chat-read.js';
import { NudgeChatHandler } from './commands/nudge-chat.js';
import { ChatReviews, RateChatHandler } from './commands/rate-chat.js';
import { SendMessageHandler } from './commands/send-message.js';
import { VerifyChatHandler } from './commands/verify-chat.js';
import { MessagesController } from './messages.controller.js';
import { AccountClosings } from './process/account-closings.js';
import { ChatProcess } from './process/chat-process.js';
import { ChatSweeper } from './process/chat-sweeper.js';
import { GetChatHistoryHandler } from './queries/get-chat-history.js';
import { GetPayoutTotalsHandler } from './queries/get-payout-totals.js';
import { GetChatHandler } from './queries/get-chat.js';
import { GetPayoutHandler } from './queries/get-payout.js';
import { ListInboundPriorityHandler, ListPendingRequestsHandler } from './queries/list-inbound.js';
import { ListMyChatsHandler } from './queries/list-my-chats.js';

const COMMANDS = [
  AcceptRequestHandler,
  BlockMemberHandler,
  DeclineRequestHandler,
  ExitChatHandler,
  InitiateChatHandler,
  MarkChatReadHandler,
  NudgeChatHandler,
  RateChatHandler,
  SendMessageHandler,
  VerifyChatHandler,
];

const QUERIES = [
  GetChatHandler,
  GetChatHistoryHandler,
  GetPayoutTotalsHandler,
  GetPayoutHandler,
  ListInboundPriorityHandler,
  ListMyChatsHandler,
  ListPendingRequestsHandler,
];

/** Paid chats: request, talk, end, rate, be paid. */
@Module({
  imports: [IdentityModule, MembersModule, ProfilesModule, WalletModule],
  controllers: [ChatsController, MessagesController],
  providers: [
    {
      provide: ChatStore,
      inject: [EVENT_STORE, ChatClock, StreamMetadata],
      useFactory: (store: EventStore, clock: ChatClock, metadata: StreamMetadata) =>
        new ChatStore({ store, clock, metadata }),
    },
    AccountClosings,
    ChatAccess,
    ChatBlocks,
    ChatClock,
    ChatCommands,
    ChatMessages,
    ChatPairing,
    ChatPairs,
    ChatPartiesDirectory,
    ChatPayouts,
    ChatProcess,
    ChatReadModels,
    ChatReads,
    ChatReviews,
    ChatSettlement,
    ChatSweeper,
    ChatTexts,
    ChatViews,
    PerpetualBenefits,
    ...COMMANDS,
    ...QUERIES,
  ],
  exports: [
    AccountClosings,
    ChatAccess,
    ChatClock,
    ChatPartiesDirectory,
    ChatReadModels,
    ChatStore,
    ChatTexts,
    PerpetualBenefits,
  ],
})
export class ChatsModule {}
