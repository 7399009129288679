import { useEffect, useState } from 'react';

/** False until the page and everything in it has loaded and shown: what can wait does not slow the first picture. */
export function useAfterLoad(): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const loaded = () => setLoaded(true);
    if (document.readyState === 'complete') return loaded();
    window.addEventListener('load', loaded, { once: true });
    return () => window.removeEventListener('load', loaded);
  }, []);
  return isLoaded;
}
