import { Injectable } from '@nestjs/common';
import type { StatementType } from '@app/projections';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';

/** What counts as earned from others: pay for chats, and the halves of gifts, of cards and of posts. */
const EARNINGS: readonly StatementType[] = [
  'chat_receive',
  'gift_receive',
  'card_unlock_receive',
  'card_upvote_receive',
  'card_navigate_receive',
  'wall_comment_receive',
  'feed_scroll_receive',
];

/** What members have ever earned (S1 §2.7 Activity). */
@Injectable()
export class MemberEarnings {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** Minor units. */
  async total(memberId: string): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string }>({
      name: 'earnings of a member',
      text: `select coalesce(sum(amount), 0) as total from read.statement_row where user_id = $1 and type = any($2)`,
      values: [memberId, EARNINGS],
    });
    return BigInt(rows[0]?.total ?? 0);
  }
}
