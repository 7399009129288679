import { Injectable } from '@nestjs/common';
import type { CardState } from '@app/domain';
import type { Pool } from 'pg';
import { IdentityChanges } from '../identity/identity-changes.js';
import { InjectPool } from '../platform/database/database.module.js';
import { inTransaction } from '../platform/database/in-transaction.js';
import type { By } from '../platform/journal/stream-metadata.js';
import { ContentRecords, type NextContent } from './content-records.js';
import { Contents } from './contents.js';

const without =
  (gone: string | null): NextContent =>
  (shown) =>
    shown === gone ? null : shown;

/** What a member's profile card shows (rule profiles-10). */
@Injectable()
export class CardContent {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly contents: Contents,
    private readonly records: ContentRecords,
    private readonly changes: IdentityChanges,
  ) {}

  /** The picture again, if the card shows this content. @throws AppError 503 */
  async takeOff(memberId: string, contentId: string, by: By): Promise<void> {
    await this.change(memberId, without(contentId), by);
  }

  /**
   * The event first, and then its row, which follows the events in their order. What was removed between the two is taken
   * off again; what is shown when it is removed, its removal finds on the card.
   * @throws AppError 503
   */
  async change(memberId: string, next: NextContent, by: By): Promise<void> {
    const card = await this.records.choose(memberId, next, by);
    if (card.changes === 0) return;
    const shown = await this.show(memberId, card);
    if (shown === 'removed') return this.change(memberId, without(card.contentId), by);
    if (shown === 'as before') return;
    await this.records.cardKnown(memberId);
    await this.changes.publish({ kind: 'account', accountId: memberId });
  }

  private show(memberId: string, { contentId, changes }: CardState): Promise<'new' | 'as before' | 'removed'> {
    return inTransaction(this.pool, async (client) => {
      const content = contentId === null ? null : await this.contents.hold(contentId, client);
      if (content === undefined) return 'removed';
      return (await this.contents.showOnCard(memberId, { content, changes }, client)) ? 'new' : 'as before';
    });
  }
}
