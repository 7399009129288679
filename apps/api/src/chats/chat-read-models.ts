import { Inject, Injectable } from '@nestjs/common';
import { chatStream } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { ChatQueries, MemberChatQueries, PoolRewardQueries, Projections } from '@app/projections';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { EVENT_STORE } from '../platform/journal/injected-journal.js';
import { PROJECTION_WAIT_MS } from '../wallet/read-models.js';

/** The read models that members look at after a command on a chat. */
const AWAITED = ['chats', 'member_chats'] as const;
/** Of these, and of what is beside them, those that change when a chat's money moves. */
const AWAITED_MONEY = ['balances', 'statements', 'chats', 'pool_rewards'] as const;

/** The read models of chats, and how to wait for them. */
@Injectable()
export class ChatReadModels {
  readonly chats: ChatQueries;
  readonly memberChats: MemberChatQueries;
  readonly poolRewards: PoolRewardQueries;

  constructor(
    @InjectPool() pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly runner: Projections,
  ) {
    this.chats = new ChatQueries(pool);
    this.memberChats = new MemberChatQueries(pool);
    this.poolRewards = new PoolRewardQueries(pool);
  }

  /**
   * Waits, for a second at most, until lists show the chat as it is now, and all that members look at the ledger's movements
   * up to a revision, −1 for none.
   */
  async movedUpTo(chatId: string, ledgerRevision: number): Promise<void> {
    const head = await this.store.head(chatStream(chatId));
    await Promise.all([
      head ? this.runner.waitForPosition(AWAITED, head.position, PROJECTION_WAIT_MS) : undefined,
      ledgerRevision < 0 ? undefined : this.runner.waitFor(AWAITED_MONEY, ledgerRevision, PROJECTION_WAIT_MS),
    ]);
  }

  /** Until the members' counts of completed chats hold what happened up to a position. */
  async countedUpTo(position: bigint, timeoutMs: number): Promise<boolean> {
    return (await this.runner.waitForPosition(['member_chats'], position, timeoutMs)).projected;
  }
}
