import { parseNova, sayAmount } from '@/shared/api/nova';

/** The most that an application may take in a day (UTC), with scope nova (`decisions.md`, OAuth). */
const DAILY_LIMIT_NOVA_MAX = 1_000_000;

export const DAILY_LIMIT_COMPLAINT = `Enter 0 to ${sayAmount(DAILY_LIMIT_NOVA_MAX)}.`;

/** The limit that was typed, null when it is none. */
export function readDailyLimit(text: string): number | null {
  const nova = parseNova(text);
  return nova === null || nova > DAILY_LIMIT_NOVA_MAX ? null : nova;
}
