import { useSyncExternalStore } from 'react';

/** From here on a table has room for its columns; below, each row is a card. */
const WIDE = '(min-width: 1024px)';

function subscribe(onChange: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

export const useWideScreen = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(WIDE).matches);
