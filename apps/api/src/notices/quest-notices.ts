import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';
import { Rounds } from '../platform/rounds.js';
import { addNotices } from './notices.js';

const LOOK_EVERY_MS = 2_000;
const FOUND_MAX = 1_000;

/** What the read model counted within a day, and nobody was told of yet. */
const COMPLETED = `
  select p.user_id as "memberId", p.quest_id as "questId", p.completed_at as "completedAt"
  from read.quest_progress p
  where p.completed_at > now() - interval '1 day' and not exists (
    select from notices n where n.account_id = p.user_id::uuid and n.source = 'quest:' || p.quest_id)
  order by p.completed_at limit $1`;

interface Completed {
  readonly memberId: string;
  readonly questId: string;
  readonly completedAt: Date;
}

/** Tells members of quests that they completed. No event says so: the read model of quests counts (rule quests-3). */
@Injectable()
export class QuestNotices extends Rounds {
  constructor(@InjectPool() private readonly pool: Pool) {
    super({ everyMs: LOOK_EVERY_MS }, 'telling of completed quests');
  }

  protected override async round(): Promise<void> {
    const { rows } = await this.pool.query<Completed>({
      name: 'completed-quests',
      text: COMPLETED,
      values: [FOUND_MAX],
    });
    const notices = rows.map(({ memberId, questId, completedAt }) => ({
      memberId,
      source: `quest:${questId}`,
      kind: 'quest_completed' as const,
      facts: { questId },
      at: completedAt.getTime(),
    }));
    await addNotices((sql, values) => this.pool.query(sql, values), notices);
  }
}
