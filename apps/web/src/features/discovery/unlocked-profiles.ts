import { useCallback } from 'react';
import { useCurrentUser } from '@/shared/api';
import { useStoredValue } from '@/shared/hooks/use-stored-value';

/** This device keeps this many of the newest ids; the server knows all of them. */
const KEPT_MAX = 500;

/** The stored ids; empty if the stored text is anything else. */
export function readUnlocked(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
  } catch {
    // Not written by this app, or cut off: the server's answer is enough.
    return [];
  }
}

export const withUnlocked = (stored: string | null, id: string): string =>
  JSON.stringify([id, ...readUnlocked(stored).filter((other) => other !== id)].slice(0, KEPT_MAX));

/**
 * The profiles that the signed-in member unlocked on this device (rule discovery-17). A card opens at once, even while
 * the server's read models lag behind the payment.
 */
export function useUnlockedProfiles(): { has: (id: string) => boolean; add: (id: string) => void } {
  const { data: user } = useCurrentUser();
  const [stored, store] = useStoredValue(`nova.unlockedProfiles.${user?.id ?? ''}`);
  const has = useCallback((id: string) => readUnlocked(stored).includes(id), [stored]);
  const add = useCallback((id: string) => store(withUnlocked(stored, id)), [stored, store]);
  return { has, add };
}
