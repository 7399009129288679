import { DAILY_POINTS_GOAL, DAY_MS, type EngagementEvent, utcDay, withBonus } from '@app/domain';
import type { ApplierOptions, BatchClient, ProjectedEvent, ReadModel, ReadModelApplier } from '../read-model.js';
import { type Cached, CachedTable, KEY_SEPARATOR } from '../tables/cached-table.js';
import { writeTables } from '../tables/statements.js';
import { date, integer, nullable, type RowOf, Table, tablesOf, text, timestamp } from '../tables/table.js';

/** Points without the bonus. */
const viewerDays = new Table('viewer_days', {
  columns: { userId: text, day: date, points: integer },
  key: ['userId', 'day'],
  fillfactor: 70,
});

/** Days in a row that reached the goal, and the last of them. */
const viewerStreaks = new Table('viewer_streaks', {
  columns: { userId: text, day: date, days: integer },
  key: ['userId'],
  fillfactor: 70,
});

const viewerPerks = new Table('viewer_perks', {
  columns: {
    userId: text,
    boostedOn: nullable(date),
    prioritizedOn: nullable(date),
    priorityUntil: nullable(timestamp),
  },
  key: ['userId'],
  indexes: { viewer_perks_priority: '(priority_until) where priority_until is not null' },
});
type UsedPerks = Omit<RowOf<typeof viewerPerks>, 'userId'>;

const UNUSED: UsedPerks = { boostedOn: null, prioritizedOn: null, priorityUntil: null };

/** The points of viewers by UTC day, their streaks, and the perks they used (rules feed-10, feed-12). */
export const engagement: ReadModel = {
  name: 'engagement',
  version: 1,
  streamPrefixes: ['engagement-', 'perks-'],
  ...tablesOf(viewerDays, viewerStreaks, viewerPerks),
  createApplier: (options) => new EngagementApplier(options),
};

class EngagementApplier implements ReadModelApplier {
  private readonly days: Cached<typeof viewerDays>;
  private readonly streaks: Cached<typeof viewerStreaks>;
  private readonly perks: Cached<typeof viewerPerks>;

  constructor(options: ApplierOptions) {
    this.days = new CachedTable(viewerDays, options);
    this.streaks = new CachedTable(viewerStreaks, options);
    this.perks = new CachedTable(viewerPerks, options);
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
    const sum = (this.days.get(key)?.points ?? 0) + points;
    this.days.set(key, { points: sum });
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
