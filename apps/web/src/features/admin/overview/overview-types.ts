import type { Schemas } from '@/shared/api';

/** A count in a period, and in the period of the same length before it. */
export type Change = Schemas['ChangeDto'];

/** `GET /api/admin/overview` (rule admin-5). */
export type Overview = Schemas['OverviewDto'];

/** A UTC day of `GET /api/admin/series`. Amounts are in Nova. */
export type SeriesDay = Schemas['SeriesDayDto'];

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
