import { Injectable } from '@nestjs/common';
import type { DailyName } from '@app/projections';
import type { Pool } from 'pg';
import { InjectPool } from '../../platform/database/database.module.js';
import { toNova } from '../../wallet/nova-amount.js';
import { ReadModels } from '../../wallet/read-models.js';
import type { ChangeDto, OverviewDto, SeriesDayDto } from './overview.dto.js';

/** This minute counts once it is written down, which may take a third of it. */
const UPTIME_UNTIL = `greatest(max(minute), date_trunc('minute', now()) - interval '1 minute')`;

/** The period of `$1` days up to today, and the one before it; days are UTC. */
const OVERVIEW = `
  with period as (
    select (now() at time zone 'utc')::date - $1::int + 1 as since, (now() at time zone 'utc')::date - 2 * $1::int + 1 as before),
  counted as (
    select name, coalesce(sum(count) filter (where day >= since), 0)::int as now,
      coalesce(sum(count) filter (where day < since), 0)::int as before
    from read.daily_totals, period where day >= before group by name)
  select
    (select count(*)::int from member_directory, period where created_at >= since at time zone 'utc') as registrations,
    (select count(*)::int from member_directory, period
      where created_at >= before at time zone 'utc' and created_at < since at time zone 'utc') as registrations_before,
    (select json_object_agg(name, json_build_array(now, before)) from counted) as counts,
    (select avg(rating)::float8 from read.ratings, period where at >= since at time zone 'utc') as rating,
    (select 100.0 * count(*) / nullif(
        floor(extract(epoch from ${UPTIME_UNTIL} - greatest(min(minute), min(since) at time zone 'utc')) / 60) + 1, 0)
      from minutes_up, period where minute >= since at time zone 'utc') as uptime`;

interface OverviewRow {
  readonly registrations: number;
  readonly registrations_before: number;
  readonly counts: Readonly<Partial<Record<DailyName, readonly [now: number, before: number]>>> | null;
  readonly rating: number | null;
  readonly uptime: string | null;
}

const SERIES = `
  with days as (
    select generate_series((now() at time zone 'utc')::date - $1::int + 1, (now() at time zone 'utc')::date, '1 day')::date as day),
  totals as (
    select day,
      coalesce(sum(amount) filter (where name = 'circulation'), 0) as change,
      coalesce(sum(amount) filter (where name = 'purchases'), 0) as purchased,
      coalesce(sum(count) filter (where name = 'purchases'), 0)::int as purchases,
      coalesce(sum(amount) filter (where name = 'gifts'), 0) as gifted,
      coalesce(sum(count) filter (where name = 'gifts'), 0)::int as gifts,
      coalesce(sum(count) filter (where name = 'chats_requested'), 0)::int as requested,
      coalesce(sum(count) filter (where name = 'chats_successful'), 0)::int as successful
    from days left join read.daily_totals using (day) group by day),
  joined as (
    select (created_at at time zone 'utc')::date as day, count(*)::int as registrations from member_directory
    where created_at >= ((now() at time zone 'utc')::date - $1::int + 1) at time zone 'utc' group by 1)
  select day::text, change, purchased, purchases, gifted, gifts, requested, successful,
    coalesce(registrations, 0) as registrations
  from totals left join joined using (day) order by day`;

interface SeriesRow {
  readonly day: string;
  readonly change: string;
  readonly purchased: string;
  readonly purchases: number;
  readonly gifted: string;
  readonly gifts: number;
  readonly requested: number;
  readonly successful: number;
  readonly registrations: number;
}

/** Figures of the platform over time, every one computed. */
@Injectable()
export class Overview {
  constructor(
    @InjectPool() private readonly pool: Pool,
    private readonly readModels: ReadModels,
  ) {}

  async of(days: number): Promise<OverviewDto> {
    const { rows } = await this.pool.query<OverviewRow>(OVERVIEW, [days]);
    const [row] = rows;
    if (!row) throw new Error('the overview has no row');
    const counted = (name: DailyName): readonly [number, number] => row.counts?.[name] ?? [0, 0];
    const [[accepted], [successful]] = [counted('chats_accepted'), counted('chats_successful')];
    return {
      days,
      registrations: changeOf(row.registrations, row.registrations_before),
      chats: changeOf(...counted('chats_requested')),
      transactions: changeOf(...counted('transactions')),
      averageRating: row.rating === null ? null : Math.min(Math.round(row.rating * 10) / 100, 9.99),
      successRate: accepted === 0 ? null : Math.min(100, rounded((100 * successful) / accepted)),
      uptime: row.uptime === null ? null : Math.min(100, rounded(Number(row.uptime))),
    };
  }

  /** Circulation is known for today; going back, each day's change is taken off. */
  async series(days: number): Promise<SeriesDayDto[]> {
    const [{ rows }, today] = await Promise.all([
      this.pool.query<SeriesRow>(SERIES, [days]),
      this.readModels.totals.novaInCirculation(),
    ]);
    let circulation = today;
    const series = rows.toReversed().map((row) => {
      const day = toDay(row, circulation);
      circulation -= BigInt(row.change);
      return day;
    });
    return series.toReversed();
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

const changeOf = (count: number, previous: number): ChangeDto => ({
  count,
  previous,
  change: previous === 0 ? null : rounded((100 * (count - previous)) / previous),
});

const toDay = (row: SeriesRow, circulation: bigint): SeriesDayDto => ({
  day: row.day,
  circulation: toNova(circulation),
  purchased: toNova(BigInt(row.purchased)),
  purchases: row.purchases,
  gifted: toNova(BigInt(row.gifted)),
  gifts: row.gifts,
  chatsRequested: row.requested,
  chatsSuccessful: row.successful,
  registrations: row.registrations,
});
