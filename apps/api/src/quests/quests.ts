import { Inject, Injectable } from '@nestjs/common';
import { QUEST_CLAIM_MS, type QuestCreated, type QuestPhase, questPhase, type QuestRule } from '@app/domain';
import type { Pool } from 'pg';
import type { SortDirection } from '../admin/admin-users.js';
import { InjectPool } from '../platform/database/database.module.js';
import type { OpenLedger } from '../platform/ledger/open-ledger.js';
import { OPEN_LEDGER } from '../platform/ledger/injected-ledger.js';

/** The most quests that are listed for members at a time: those that end last. */
const LISTED_QUESTS_MAX = 100;

/** The words of a quest; the rest of it is in its event. */
export interface QuestWords {
  readonly title: string;
  readonly description: string;
}

/**
 * A quest: its words, its rules, and how many members take part, completed it and claimed it. Amounts in minor units,
 * times in milliseconds since 1970.
 */
export interface Quest extends QuestWords {
  readonly id: string;
  readonly rule: QuestRule;
  readonly target: bigint;
  readonly reward: bigint;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly at: number;
  readonly adminId: string;
  readonly phase: QuestPhase;
  readonly members: number;
  readonly completed: number;
  readonly claimed: number;
}

interface QuestRow {
  readonly quest_id: string;
  readonly title: string;
  readonly description: string;
  readonly rule: QuestRule;
  readonly target: string;
  readonly reward: string;
  readonly starts_ms: string;
  readonly ends_ms: string;
  readonly created_ms: string;
  readonly admin_id: string;
  readonly members: number;
  readonly completed: number;
  readonly claimed: number;
}

const SELECT =
  'select q.*, words.title, words.description from read.quests q join quests words on words.id::text = q.quest_id';

/** The sort keys of the list of all quests, in SQL. */
const SORT_KEYS = {
  created: 'created_ms',
  starts: 'starts_ms',
  ends: 'ends_ms',
  reward: 'reward',
  underWay: 'members - completed',
  completed: 'completed',
  claimed: 'claimed',
  paid: 'reward::numeric * claimed',
} as const;

export type QuestSort = keyof typeof SORT_KEYS;
export const QUEST_SORTS = Object.keys(SORT_KEYS) as readonly QuestSort[];

/** A quest's place in its life, in SQL: $1 is now. */
const PHASES: Readonly<Record<QuestPhase, string>> = {
  scheduled: 'starts_ms > $1',
  active: 'starts_ms <= $1 and ends_ms > $1',
  ended: 'ends_ms <= $1',
};

/** Quests as they are now, in journal time. */
@Injectable()
export class Quests {
  constructor(
    @InjectPool() private readonly pool: Pool,
    @Inject(OPEN_LEDGER) private readonly ledger: Pick<OpenLedger, 'clock'>,
  ) {}

  now(): number {
    return this.ledger.clock.now();
  }

  async find(id: string): Promise<Quest | undefined> {
    const { rows } = await this.pool.query<QuestRow>(`${SELECT} where q.quest_id = $1`, [id]);
    return rows.map(questAt(this.now()))[0];
  }

  /** A quest that was created and that no list shows yet. */
  unlisted(quest: QuestCreated, words: QuestWords): Quest {
    const phase = questPhase(quest, this.now());
    return { ...quest, ...words, id: quest.questId, phase, members: 0, completed: 0, claimed: 0 };
  }

  /** The quests that can still be claimed, newest first. Scheduled ones only if they are asked for. */
  async listed({ scheduled }: { readonly scheduled: boolean }): Promise<Quest[]> {
    const now = this.now();
    const { rows } = await this.pool.query<QuestRow>(
      `${SELECT} where q.ends_ms > $1 and ($2 or q.starts_ms <= $3) order by q.ends_ms desc limit $4`,
      [now - QUEST_CLAIM_MS, scheduled, now, LISTED_QUESTS_MAX],
    );
    return rows.map(questAt(now)).toSorted((a, b) => b.at - a.at);
  }

  /** A page of all quests. */
  async page(request: {
    readonly phase: QuestPhase | undefined;
    readonly limit: number;
    readonly offset: number;
    readonly sort: QuestSort;
    readonly order: SortDirection;
  }): Promise<{ readonly quests: Quest[]; readonly total: number }> {
    const now = this.now();
    const { phase, limit, offset, sort, order } = request;
    const matches = phase === undefined ? '$1::bigint is not null' : PHASES[phase];
    const [found, total] = await Promise.all([
      this.pool.query<QuestRow>(
        `${SELECT} where ${matches} order by ${SORT_KEYS[sort]} ${order}, q.quest_id ${order} limit $2 offset $3`,
        [now, limit, offset],
      ),
      this.count(matches, now),
    ]);
    return { quests: found.rows.map(questAt(now)), total };
  }

  countActive(): Promise<number> {
    return this.count(PHASES.active, this.now());
  }

  private async count(matches: string, nowMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ total: string }>(
      `select count(*) as total from read.quests where ${matches}`,
      [nowMs],
    );
    return Number(rows[0]?.total ?? 0);
  }
}

const questAt =
  (nowMs: number) =>
  (row: QuestRow): Quest => {
    const times = { startsAt: Number(row.starts_ms), endsAt: Number(row.ends_ms) };
    const { title, description, rule, members, completed, claimed } = row;
    return {
      id: row.quest_id,
      title,
      description,
      rule,
      target: BigInt(row.target),
      reward: BigInt(row.reward),
      ...times,
      at: Number(row.created_ms),
      adminId: row.admin_id,
      phase: questPhase(times, nowMs),
      members,
      completed,
      claimed,
    };
  };
