import { Injectable } from '@nestjs/common';
import { ChatPairs } from './chat-pairs.js';
import { ChatSettlement } from './chat-settlement.js';
import { ChatStore } from './chat-store.js';

/** Blocking ends requests between the two (`decisions.md`, Chats); a chat under way goes on until somebody leaves it. */
@Injectable()
export class ChatBlocks {
  constructor(
    private readonly pairs: ChatPairs,
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
  ) {}

  /** Declines the other's request, or takes one's own back. Nothing where there is none. */
  async endRequests(blockerId: string, blockedId: string): Promise<void> {
    const newest = await this.pairs.newest({ initiatorId: blockerId, hostId: blockedId });
    if (!newest) return;
    const { state } = await this.chats.current(newest.chatId);
    if (state?.status !== 'requested') return;
    const outcome = await this.chats.execute(
      newest.chatId,
      blockerId === state.hostId
        ? { type: 'DeclineChat', memberId: blockerId }
        : { type: 'TerminateChat', memberId: blockerId, cause: 'exit' },
      { actor: `member:${blockerId}` },
    );
    await this.settlement.settleOrLeave(outcome.record);
  }
}
