import { Inject, Injectable } from '@nestjs/common';
import type { CommandOutcome, CommandRequest, Ledger } from '@app/ledger';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { LEDGER } from '../../platform/ledger/injected-ledger.js';
import { ReadModels } from '../../wallet/read-models.js';
import { ChatReadModels } from '../chat-read-models.js';
import { ChatSettlement } from '../chat-settlement.js';
import { ChatStore } from '../chat-store.js';

/** An account that is to be closed, and by whom. */
interface Closing {
  readonly accountId: string;
  readonly actor: string;
}

/**
 * Closes accounts (rule ledger-29): the ledger refuses new commands, open chats end as if the member broke off,
 * what is pending is released, the wallets of the member's applications are emptied, and then the account is closed for good. A row remembers an account until all of that is done,
 * however often it is interrupted.
 */
@Injectable()
export class AccountClosings {
  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly chats: ChatStore,
    private readonly settlement: ChatSettlement,
    private readonly readModels: ChatReadModels,
    private readonly money: ReadModels,
  ) {}

  /**
   * From now on the ledger takes nothing more for or from the account; the sweep ends what is open. The row comes first: whatever
   * fails after it is done by the sweep.
   * @param actor of the ledger's events: `admin:{id}`
   * @param correlationId of the request that asked for it
   * @throws LedgerBusy, LedgerOutcomeUnknown it is not known to be closed yet
   */
  async begin(accountId: string, actor: string, correlationId: string | undefined): Promise<void> {
    await this.pool.query('insert into account_closings (account_id, actor) values ($1, $2) on conflict do nothing', [
      accountId,
      actor,
    ]);
    await this.close({ accountId, actor }, correlationId);
  }

  /** Accounts that are being closed, oldest first. */
  async due(limit: number): Promise<Closing[]> {
    const { rows } = await this.pool.query<{ account_id: string; actor: string }>(
      'select account_id, actor from account_closings order by requested_at limit $1',
      [limit],
    );
    return rows.map(({ account_id, actor }) => ({ accountId: account_id, actor }));
  }

  /** Whether something of the account is still to be closed. */
  async has(accountId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from account_closings where account_id = $1', [accountId]);
    return rowCount === 1;
  }

  /** Goes as far as it can now. Every step may be repeated. */
  async goOn({ accountId, actor }: Closing): Promise<void> {
    await this.close({ accountId, actor }, undefined);
    await this.endChats(accountId);
    await this.releaseRewards(accountId);
    await this.emptyWallets(accountId, actor);
    const command = { type: 'FinishClosingAccount', userId: accountId } as const;
    const closed = await this.execute({ command, actor }, `account:${accountId}:closed`);
    const isStillOpen = closed.status === 'refused' && closed.rejection.code !== 'ACCOUNT_NOT_CLOSING';
    if (!isStillOpen) await this.pool.query('delete from account_closings where account_id = $1', [accountId]);
  }

  private async endChats(memberId: string): Promise<void> {
    const { chats } = this.readModels;
    const open = [...(await chats.openOf(memberId)), ...(await chats.pendingRequests(memberId))];
    for (const { chatId } of open) {
      const command = { type: 'TerminateChat', memberId, cause: 'account-closing' } as const;
      const { record } = await this.chats.execute(chatId, command, { actor: 'process' });
      await this.settlement.settle(record);
    }
  }

  /** A leaving member no longer rates, so their reward need not wait. */
  private async releaseRewards(memberId: string): Promise<void> {
    for (const { chatId, isInitiator } of await this.readModels.chats.pendingRatings(memberId)) {
      const side = isInitiator ? 'initiator' : 'host';
      const command = { type: 'ReleaseChatReward', chatId, side } as const;
      await this.settlement.execute({ key: `chat:${chatId}:release:${side}`, command }, `chat:${chatId}`, undefined);
    }
  }

  /**
   * What the member's applications hold goes to the member. Nothing goes in or out any more since the account is closing. Once
   * is enough without a key: a second withdrawal finds nothing, and what the read model did not show yet is for the next time.
   */
  private async emptyWallets(ownerId: string, actor: string): Promise<void> {
    await this.money.caughtUp(this.ledger.revision);
    for (const { clientId, purchased, earned } of await this.money.applications.walletsWithNova(ownerId)) {
      const amount = purchased + earned;
      await this.ledger.execute({ command: { type: 'WithdrawAppWallet', clientId, ownerId, amount }, actor });
    }
  }

  private close({ accountId, actor }: Closing, correlationId: string | undefined): Promise<CommandOutcome> {
    const command = { type: 'CloseAccount', userId: accountId } as const;
    return this.execute({ command, actor, correlationId }, `account:${accountId}:close`);
  }

  private execute(request: CommandRequest, key: string): Promise<CommandOutcome> {
    return this.ledger.execute({ ...request, key: { scope: 'fact', value: key } });
  }
}
