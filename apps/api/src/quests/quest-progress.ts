import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { InjectPool } from '../platform/database/database.module.js';

/** How far a member is with a quest. */
export interface Progress {
  /** A plain count, or minor units of NOVA. */
  readonly count: bigint;
  readonly isCompleted: boolean;
  readonly isClaimed: boolean;
}

const NOTHING: Progress = { count: 0n, isCompleted: false, isClaimed: false };

interface ProgressRow {
  readonly quest_id: string;
  readonly count: string;
  readonly completed_at: Date | null;
  readonly claimed_at: Date | null;
}

/** Members' progress, as counted by the read model `quests`. */
@Injectable()
export class QuestProgress {
  constructor(@InjectPool() private readonly pool: Pool) {}

  /** One member's progress with each of these quests, in their order. */
  async of<Q extends { readonly id: string }>(
    userId: string,
    quests: readonly Q[],
  ): Promise<{ readonly quest: Q; readonly progress: Progress }[]> {
    const { rows } = await this.pool.query<ProgressRow>(
      'select quest_id, count, completed_at, claimed_at from read.quest_progress where user_id = $1 and quest_id = any($2)',
      [userId, quests.map(({ id }) => id)],
    );
    const found = new Map(rows.map((row) => [row.quest_id, progressOf(row)]));
    return quests.map((quest) => ({ quest, progress: found.get(quest.id) ?? NOTHING }));
  }
}

const progressOf = ({ count, completed_at, claimed_at }: ProgressRow): Progress => ({
  count: BigInt(count),
  isCompleted: completed_at !== null,
  isClaimed: claimed_at !== null,
});
