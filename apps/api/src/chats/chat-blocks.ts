import { Injectable } from '@nestjs/common';
import { BLOCKED_BY_YOU, type ChatCommand, type ChatState } from '@app/domain';
import type { Origin } from '@app/ledger';
import { MemberRelations } from '../members/member-relations.js';
import { AppError } from '../platform/errors/app-error.js';
import { type ChatParties, ChatPairs } from './chat-pairs.js';
import { ChatSettlement } from './chat-settlement.js';
import { type ChatRecord, ChatStore } from './chat-store.js';

export const hostNotFound = (): AppError =>
  new AppError(404, 'HOST_NOT_FOUND', 'The member you want to chat with was not found.');

/** Blocking ends requests between the two (rule members-2); a chat under way goes on until somebody leaves it. */
@Injectable()
export class ChatBlocks {
  constructor(
    private readonly pairs: ChatPairs,
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
    private readonly relations: MemberRelations,
  ) {}

  /**
   * For before a request and after it: a block is written first and looks for requests second, so that one of the two always
   * sees the other.
   * @throws AppError 404 the host has blocked the initiator, 409 `BLOCKED_BY_YOU`; a request between the two has ended
   */
  async refuse({ initiatorId, hostId }: ChatParties, ledBy: Origin): Promise<void> {
    const blockerId = await this.relations.blockerOf(initiatorId, hostId);
    if (blockerId === undefined) return;
    await this.endRequests(blockerId, blockerId === hostId ? initiatorId : hostId, ledBy);
    if (blockerId === hostId) throw hostNotFound();
    throw new AppError(409, BLOCKED_BY_YOU.code, BLOCKED_BY_YOU.message);
  }

  /**
   * Declines the other's request, or takes one's own back. Answers the chat, which the process manager may
   * have ended already; undefined where there never was one.
   */
  async endRequests(
    blockerId: string,
    blockedId: string,
    ledBy: Origin,
  ): Promise<{ readonly chatId: string; readonly revision: number } | undefined> {
    const newest = await this.pairs.newest({ initiatorId: blockerId, hostId: blockedId });
    if (!newest) return undefined;
    const { chatId } = newest;
    const current = await this.chats.current(chatId);
    const ended = current.state?.status === 'requested' ? await this.end(current.state, blockerId, ledBy) : current;
    const { revision } = await this.settlement.settleOrLeave(ended);
    return { chatId, revision };
  }

  private async end({ chatId, hostId }: ChatState, blockerId: string, ledBy: Origin): Promise<ChatRecord> {
    const command: ChatCommand =
      blockerId === hostId
        ? { type: 'DeclineChat', memberId: blockerId }
        : { type: 'TerminateChat', memberId: blockerId, cause: 'exit' };
    return (await this.chats.execute(chatId, command, { actor: `member:${blockerId}`, ...ledBy })).record;
  }
}
