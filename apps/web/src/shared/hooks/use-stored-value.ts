import { useCallback, useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/** For browsers that refuse storage: the value then lasts as long as the page. */
const memory = new Map<string, string>();

function read(key: string): string | null {
  try {
    return window.localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

/** Keeps `value` on this device under `key`. */
export function storeValue(key: string, value: string): void {
  try {
    window.localStorage.setItem(key, value);
  } catch {
    // Storage is full or forbidden.
    memory.set(key, value);
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/** A text kept on this device, null until one is stored; follows changes made in other tabs. */
export function useStoredValue(key: string): [string | null, (value: string) => void] {
  const value = useSyncExternalStore(subscribe, () => read(key));
  const store = useCallback((next: string) => storeValue(key, next), [key]);
  return [value, store];
}
