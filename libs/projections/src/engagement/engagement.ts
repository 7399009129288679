import { DAILY_POINTS_GOAL, DAY_MS, type EngagementEvent, utcDay, withBonus } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';

/** Days in a row that reached the goal, the last of them. */
interface Streak {
  readonly day: string;
  readonly days: number;
}

interface UsedPerks {
  readonly boostedOn: string | null;
  readonly prioritizedOn: string | null;
  readonly priorityUntil: string | null;
}

const UNUSED: UsedPerks = { boostedOn: null, prioritizedOn: null, priorityUntil: null };

/** The points of viewers by UTC day, their streaks, and the perks they used (rules feed-10, feed-12). */
export const engagement: ReadModel = {
  name: 'engagement',
  version: 1,
  streamPrefixes: ['engagement-', 'perks-'],
  tables: ['viewer_days', 'viewer_streaks', 'viewer_perks'],
  ddl: `
    create table viewer_days (
      user_id text collate "C" not null,
      day date not null,
      points integer not null,
      primary key (user_id, day)
    ) with (fillfactor = 70);
    create table viewer_streaks (
      user_id text collate "C" primary key,
      day date not null,
      days integer not null
    ) with (fillfactor = 70);
    create table viewer_perks (
      user_id text collate "C" primary key,
      boosted_on date,
      prioritized_on date,
      priority_until timestamptz
    );
  `,
  indexes: `create index viewer_perks_priority on viewer_perks (priority_until) where priority_until is not null;`,
  createApplier: (options) => new EngagementApplier(options),
};

class EngagementApplier implements ReadModelApplier {
  /** Points without the bonus. */
  private readonly days: CachedTable<number>;
  private readonly streaks: CachedTable<Streak>;
  private readonly perks: CachedTable<UsedPerks>;

  constructor(options: ApplierOptions) {
    const user = ['user_id', 'text'] as const;
    this.days = new CachedTable<number>({
      table: 'viewer_days',
      key: [user, ['day', 'date']],
      values: [['points', 'integer']],
      read: ([points]) => Number(points),
      cells: (points) => [points],
      ...options,
    });
    this.streaks = new CachedTable<Streak>({
      table: 'viewer_streaks',
      key: [user],
      values: [
        ['day', 'date'],
        ['days', 'integer'],
      ],
      read: ([day = '', days]) => ({ day, days: Number(days) }),
      cells: ({ day, days }) => [day, days],
      ...options,
    });
    this.perks = new CachedTable<UsedPerks>({
      table: 'viewer_perks',
      key: [user],
      values: [
        ['boosted_on', 'date'],
        ['prioritized_on', 'date'],
        ['priority_until', 'timestamptz'],
      ],
      read: ([boostedOn = null, prioritizedOn = null, priorityUntil = null]: readonly (string | null)[]) => ({
        boostedOn,
        prioritizedOn,
        priorityUntil,
      }),
      cells: ({ boostedOn, prioritizedOn, priorityUntil }) => [boostedOn, prioritizedOn, priorityUntil],
      ...options,
    });
  }

  async apply(client: BatchClient, events: readonly ProjectedEvent[]): Promise<void> {
    const [days, viewers, members] = [new Set<string>(), new Set<string>(), new Set<string>()];
    for (const { engagement: event } of events) {
      if (event && 'memberId' in event) members.add(event.memberId);
      if (event?.type !== 'PostEngaged' || event.points === 0) continue;
      viewers.add(event.viewerId);
      days.add(dayOf(event.viewerId, event.at));
    }
    await this.days.load(client, days);
    await this.streaks.load(client, viewers);
    await this.perks.load(client, members);
    for (const { engagement: event } of events) if (event) this.take(event);
    await writeTables(client, [this.days, this.streaks, this.perks], 'full');
  }

  async flush(client: BatchClient): Promise<void> {
    await writeTables(client, [this.days, this.streaks, this.perks], 'all');
  }

  private take(event: EngagementEvent): void {
    if (event.type === 'PostEngaged' && event.points > 0) this.count(event.viewerId, event.points, event.at);
    if (event.type === 'PostBoosted') this.use(event.memberId, { boostedOn: utcDay(event.at) });
    if (event.type === 'PriorityTaken') {
      const priorityUntil = new Date(event.until).toISOString();
      this.use(event.memberId, { prioritizedOn: utcDay(event.at), priorityUntil });
    }
  }

  private count(userId: string, points: number, at: number): void {
    const key = dayOf(userId, at);
    const sum = (this.days.get(key) ?? 0) + points;
    this.days.set(key, sum);
    if (withBonus(sum) < DAILY_POINTS_GOAL * 100) return;
    const day = utcDay(at);
    const before = this.streaks.get(userId);
    if (before !== undefined && before.day >= day) return;
    this.streaks.set(userId, { day, days: before?.day === utcDay(at - DAY_MS) ? before.days + 1 : 1 });
  }

  private use(memberId: string, used: Partial<UsedPerks>): void {
    this.perks.set(memberId, { ...(this.perks.get(memberId) ?? UNUSED), ...used });
  }
}

const dayOf = (userId: string, at: number): string => userId + KEY_SEPARATOR + utcDay(at);
