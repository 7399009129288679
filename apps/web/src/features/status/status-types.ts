import type { Schemas } from '@/shared/api';

/** The shapes of the status dashboard as the API sends them. Amounts are Nova, tokens whole numbers. */
export type PendingReward = Schemas['PendingRewardDto'];
export type Dashboard = Schemas['DashboardDto'];
export type PendingRating = Schemas['PendingRatingDto'];
export type NovaSlice = Schemas['NovaSliceDto'];
export type NovaBreakdown = Schemas['NovaBreakdownDto'];
export type PoolShare = Schemas['PoolShareDto'];
