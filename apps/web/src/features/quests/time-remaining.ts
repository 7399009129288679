const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `Expired`, `5h 12m`, or from a day on `2d 5h` (rule quests-9). */
export function timeRemaining(endTime: string, nowMs: number): string {
  const leftMs = new Date(endTime).getTime() - nowMs;
  if (leftMs <= 0) return 'Expired';
  if (leftMs >= DAY_MS) return `${Math.floor(leftMs / DAY_MS)}d ${Math.floor((leftMs % DAY_MS) / HOUR_MS)}h`;
  return `${Math.floor(leftMs / HOUR_MS)}h ${Math.floor((leftMs % HOUR_MS) / MINUTE_MS)}m`;
}
