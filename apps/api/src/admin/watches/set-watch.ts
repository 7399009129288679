import { Command, CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { memberOf, OWNED_KINDS, watchedBy } from '@app/domain';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { MemberDirectory } from '../../identity/member-directory.js';
import { InjectPool } from '../../platform/database/database.module.js';
import { AppError } from '../../platform/errors/app-error.js';
import { AdminActs, type ByAdmin } from '../admin-acts.js';
import { AdminReasons } from '../admin-reasons.js';
import type { Actor } from '../moderation.js';
import { ListWatches } from './list-watches.js';
import { type NewWatch, WatchSettings } from './watch-settings.js';
import type { WatchesDto } from './watches.dto.js';

/** Watches a balance from now on (rule admin-22). */
export class SetWatch extends Command<WatchesDto> {
  constructor(
    readonly watch: NewWatch,
    readonly by: ByAdmin,
  ) {
    super();
  }
}

@CommandHandler(SetWatch)
export class SetWatchHandler implements ICommandHandler<SetWatch> {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly settings: WatchSettings,
    private readonly directory: MemberDirectory,
    private readonly acts: AdminActs,
    private readonly reasons: AdminReasons,
    private readonly queries: QueryBus,
  ) {}

  /** @throws AppError 400 `UNKNOWN_ACCOUNT`, 409 `TOO_MANY_WATCHES`, 503 */
  async execute({ watch, by }: SetWatch): Promise<WatchesDto> {
    if (!(await this.isKnown(watch.account))) {
      throw new AppError(400, 'UNKNOWN_ACCOUNT', 'There is no account of Nova with this name.');
    }
    const { adminId, requestId } = by;
    const reasonId = await this.acts.reasonRow(adminId, by);
    try {
      await this.settings.add(uuidv7(), watch, { adminId, requestId, reasonId });
    } catch (error) {
      if (reasonId !== null && error instanceof AppError && error.statusCode < 500)
        await this.reasons.discard(reasonId);
      throw error;
    }
    return this.queries.execute(new ListWatches());
  }

  /** An account of the platform, of a member, or one that was used. */
  private async isKnown(account: string): Promise<boolean> {
    const watched = watchedBy(account);
    if (!watched) return false;
    if ('kinds' in watched || !OWNED_KINDS.has(watched.kind)) return true;
    const memberId = memberOf(account);
    if (memberId !== undefined) return (await this.directory.get(memberId)) !== undefined;
    const { rowCount } = await this.pool.query('select from read.account_balance where account = $1', [account]);
    return rowCount === 1;
  }
}

export class RemoveWatch extends Command<WatchesDto> {
  constructor(
    readonly watchId: string,
    readonly by: Actor,
  ) {
    super();
  }
}

/** `DELETE /api/admin/watches/{id}`. Its crossings stay in the journal. */
@CommandHandler(RemoveWatch)
export class RemoveWatchHandler implements ICommandHandler<RemoveWatch> {
  constructor(
    private readonly settings: WatchSettings,
    private readonly queries: QueryBus,
  ) {}

  /** @throws AppError 404, 503 */
  async execute({ watchId, by }: RemoveWatch): Promise<WatchesDto> {
    await this.settings.remove(watchId, by);
    return this.queries.execute(new ListWatches());
  }
}
