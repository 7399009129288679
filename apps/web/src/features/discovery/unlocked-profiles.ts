import { useCallback } from 'react';
import { useCurrentUser } from '@/shared/api';
import { useStoredValue } from '@/shared/hooks/use-stored-value';

/** The newest so many are kept; the server knows all of them. */
const KEPT_MAX = 500;

/** What was stored, as ids; anything else that lies there is as good as nothing. */
export function readUnlocked(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  } catch {
    // Not ours, or cut off: the server's word is enough.
    return [];
  }
}

export const withUnlocked = (stored: string | null, id: string): string =>
  JSON.stringify([id, ...readUnlocked(stored).filter((other) => other !== id)].slice(0, KEPT_MAX));

/**
 * The profiles unlocked on this device by who is signed in (rule discovery-17): a card opens at once, also while the
 * server's read models are still behind the payment.
 */
export function useUnlockedProfiles(): { has: (id: string) => boolean; add: (id: string) => void } {
  const { data: user } = useCurrentUser();
  const [stored, store] = useStoredValue(`nova.unlockedProfiles.${user?.id ?? ''}`);
  const has = useCallback((id: string) => readUnlocked(stored).includes(id), [stored]);
  const add = useCallback((id: string) => store(withUnlocked(stored, id)), [stored, store]);
  return { has, add };
}
