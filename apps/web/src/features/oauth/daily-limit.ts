import { DAILY_LIMIT_NOVA_MAX } from '@app/domain';
import { parseNova, sayAmount } from '@/shared/api/nova';

export const dailyLimitComplaint = (): string => `Enter 0 to ${sayAmount(DAILY_LIMIT_NOVA_MAX)}.`;

/** The limit that was typed; null if it is not valid. */
export function readDailyLimit(text: string): number | null {
  const nova = parseNova(text);
  return nova === null || nova > DAILY_LIMIT_NOVA_MAX ? null : nova;
}
