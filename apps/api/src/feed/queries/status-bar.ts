import { Injectable } from '@nestjs/common';
import { DAILY_POINTS_GOAL, DAY_MS, engagementLevel, utcDay, withBonus } from '@app/domain';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import type { StatusBarDto } from '../post.dto.js';

const STANDING = `
  select
    (select points from read.viewer_days where user_id = $1 and day = $2) as points,
    (select days from read.viewer_streaks where user_id = $1 and day >= $3::date) as streak,
    k.boosted_on = $2 as boosted, k.prioritized_on = $2 as prioritized
  from (select 1) one left join read.viewer_perks k on k.user_id = $1`;

interface Row {
  readonly points: number | null;
  readonly streak: number | null;
  readonly boosted: boolean | null;
  readonly prioritized: boolean | null;
}

/** A viewer's standing today (rule feed-12). Days are UTC. */
@Injectable()
export class StatusBar {
  constructor(@InjectPool() private readonly pool: Pool) {}

  async of(memberId: string, nowMs: number): Promise<StatusBarDto> {
    const { rows } = await this.pool.query<Row>({
      name: 'status bar',
      text: STANDING,
      values: [memberId, utcDay(nowMs), utcDay(nowMs - DAY_MS)],
    });
    const [row] = rows;
    const streakDays = row?.streak ?? 0;
    const currentLevel = engagementLevel(streakDays);
    return {
      dailyPoints: withBonus(row?.points ?? 0) / 100,
      dailyGoal: DAILY_POINTS_GOAL,
      currentLevel,
      streakDays,
      boostTokens: currentLevel >= 2 && row?.boosted !== true ? 1 : 0,
      prioritySlots: currentLevel >= 3 && row?.prioritized !== true ? 1 : 0,
    };
  }
}
