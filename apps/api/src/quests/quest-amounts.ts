import type { QuestRule } from '@app/domain';
import { toMinor, toNova } from '../wallet/nova-amount.js';

/** A quest's count in the API's form: Nova for `nova_earned`, else a number (rule quests-8). */
export const toCount = (rule: QuestRule, count: bigint): number =>
  rule === 'nova_earned' ? toNova(count) : Number(count);

/** The internal count for a number that a caller sent. */
export const fromCount = (rule: QuestRule, count: number): bigint =>
  rule === 'nova_earned' ? toMinor(count) : BigInt(count);

/** The counter divided by the target, capped at 100; whole, and 100 only when the target is reached (rule quests-8). */
export const percentOf = (count: bigint, target: bigint): number =>
  count >= target ? 100 : Number((count * 100n) / target);
