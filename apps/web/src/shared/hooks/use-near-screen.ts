import { type RefObject, useEffect, useState } from 'react';

/** Closer than a browser's own lazy loading, which begins a whole screen or two before. */
const NEAR = '200px';

/** Whether the element has come near the screen, or was there at first. */
export function useNearScreen(element: RefObject<Element | null>, wasNear = false): boolean {
  const [isNear, setNear] = useState(wasNear);
  useEffect(() => {
    if (isNear || element.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isNear]);
  return isNear;
}
