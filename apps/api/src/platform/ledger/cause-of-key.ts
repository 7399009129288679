import type { ChatCommand } from '@app/domain';
import { hash } from 'node:crypto';

/**
 * The cause of what a call does once for all calls, under a key of the fact (`unlock:{a}:{b}`) or in a chat: it tells the repetition of the call
 * that did it from every other. Undefined for a call without an Idempotency-Key, which nobody can tell.
 */
export const causeOfKey = (
  call: 'upvote' | 'claim' | 'scroll' | ChatCommand['type'],
  key: string | undefined,
): string | undefined => (key === undefined ? undefined : `${call}:${hash('sha256', key, 'hex').slice(0, 32)}`);
