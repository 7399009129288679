/** A count of a period, and of the period of the same length before it. */
export interface Change {
  count: number;
  previous: number;
  /** Percent; null where there was nothing before. */
  change: number | null;
}

/** `GET /api/admin/overview` (S1 §2.6 Platform Overview; `decisions.md`, Admin: computed). */
export interface Overview {
  days: number;
  registrations: Change;
  chats: Change;
  transactions: Change;
  /** 0.00 to 9.99. */
  averageRating: number | null;
  /** Percent of the accepted chats. */
  successRate: number | null;
  /** Percent of the minutes. */
  uptime: number | null;
}

/** A UTC day of `GET /api/admin/series`. Amounts in Nova. */
export interface SeriesDay {
  /** `2026-11-21` */
  day: string;
  circulation: number;
  purchased: number;
  purchases: number;
  gifted: number;
  gifts: number;
  chatsRequested: number;
  chatsSuccessful: number;
  registrations: number;
}

export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];
