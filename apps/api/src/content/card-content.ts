import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { IdentityChanges } from '../identity/identity-changes.js';
import { InjectPool } from '../platform/database/database.module.js';
import { holdUntilEnd, inTransaction } from '../platform/database/in-transaction.js';
import { AppError, notFound } from '../platform/errors/app-error.js';
import type { By } from '../platform/journal/decided-streams.js';
import { ContentRecords } from './content-records.js';
import { type ContentRow, Contents } from './contents.js';

/** What a member's profile card shows (S1 §4: a discovery item is either the active profile card or not). */
@Injectable()
export class CardContent {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly contents: Contents,
    private readonly records: ContentRecords,
    private readonly changes: IdentityChanges,
  ) {}

  /** @throws AppError 404 no such discovery content of the member's, 503 */
  async choose(memberId: string, contentId: string, by: By): Promise<void> {
    await this.change(memberId, by, async (client) => {
      const content = await this.contents.hold(contentId, client);
      if (content?.owner_id !== memberId) throw notFound('This content');
      if (content.surface === 'discovery') return content;
      throw new AppError(409, 'NOT_DISCOVERY_CONTENT', 'Only discovery content can be shown on your card.');
    });
  }

  /** The picture again. @throws AppError 503 */
  async clear(memberId: string, by: By): Promise<void> {
    await this.change(memberId, by, () => Promise.resolve(null));
  }

  /** The picture again, if the card shows this content. @throws AppError 503 */
  async takeOff(memberId: string, contentId: string, by: By): Promise<void> {
    await this.change(memberId, by, async (client) =>
      (await shownBy(memberId, client)) === contentId ? null : undefined,
    );
  }

  /**
   * One change of a card at a time: its events and its row say the same.
   * @param choose what it shows from now on; null: the picture, undefined: what it shows already
   */
  private async change(
    memberId: string,
    by: By,
    choose: (client: PoolClient) => Promise<ContentRow | null | undefined>,
  ): Promise<void> {
    const isChanged = await inTransaction(this.pool, async (client) => {
      await holdUntilEnd(client, `card:${memberId}`);
      const content = await choose(client);
      if (content === undefined) return false;
      await this.records.choose(memberId, content?.id ?? null, by);
      await this.contents.showOnCard(memberId, content, client);
      return true;
    });
    if (!isChanged) return;
    await this.records.cardKnown(memberId);
    await this.changes.publish({ kind: 'account', accountId: memberId });
  }
}

async function shownBy(memberId: string, client: PoolClient): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>(
    'select card_content_id as id from profiles where account_id = $1',
    [memberId],
  );
  return rows[0]?.id ?? null;
}
