import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { IdentityChanges } from '../identity/identity-changes.js';
import { InjectPool } from '../platform/database/database.module.js';
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

  async shownBy(memberId: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ id: string | null }>(
      'select card_content_id as id from profiles where account_id = $1',
      [memberId],
    );
    return rows[0]?.id ?? null;
  }

  /** @throws AppError 404 no such discovery content of the member's */
  async choose(memberId: string, contentId: string, by: By): Promise<void> {
    const content = await this.contents.find(contentId);
    if (content?.owner_id !== memberId) throw notFound('This content');
    if (content.surface !== 'discovery') {
      throw new AppError(409, 'NOT_DISCOVERY_CONTENT', 'Only discovery content can be shown on your card.');
    }
    await this.show(memberId, content, by);
  }

  /** Null: the picture again. */
  async show(memberId: string, content: ContentRow | null, by: By): Promise<void> {
    await this.records.choose(memberId, content?.id ?? null, by);
    await this.contents.showOnCard(memberId, content);
    await this.changes.publish({ kind: 'account', accountId: memberId });
  }
}
