import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import type { Point } from './constellation';

const SETTLE_MS = 700;

/** The width that an element has, 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Device pixels per pixel; follows zooming and a move to another screen. */
export function useDevicePixelRatio(): number {
  const subscribe = useCallback((listener: () => void) => {
    window.addEventListener('resize', listener);
    return () => window.removeEventListener('resize', listener);
  }, []);
  return useSyncExternalStore(subscribe, () => window.devicePixelRatio);
}

/** Those of the pictures that have loaded, by address. */
export function useLoadedImages(urls: readonly string[]): ReadonlyMap<string, HTMLImageElement> {
  const [loaded, setLoaded] = useState<ReadonlyMap<string, HTMLImageElement>>(new Map());
  const asked = useRef(new Set<string>());
  const load = useEffectEvent((url: string) => {
    if (asked.current.has(url)) return;
    asked.current.add(url);
    const image = new Image();
    image.addEventListener('load', () => setLoaded((before) => new Map(before).set(url, image)));
    image.src = url;
  });
  const key = JSON.stringify(urls);
  useEffect(() => {
    for (const url of JSON.parse(key) as string[]) load(url);
  }, [key]);
  return loaded;
}

/**
 * Moves points from where they are shown, new ones from the centre, to their places, and then rests; at once for those who
 * asked for less motion. Paints on each step and after each render.
 */
export function useSettlingPoints(places: readonly Point[], paint: (points: readonly Point[]) => void): void {
  const shown = useRef<readonly Point[]>([]);
  const paintShown = useEffectEvent(() => paint(shown.current));
  useEffect(() => {
    const from = places.map((_, index) => shown.current[index] ?? { x: 0, y: 0 });
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const startMs = performance.now();
    let frame = 0;
    const step = (nowMs: number): void => {
      const part = still ? 1 : Math.min(Math.max(nowMs - startMs, 0) / SETTLE_MS, 1);
      const eased = 1 - (1 - part) ** 3;
      shown.current = places.map(({ x, y }, index) => {
        const start = from[index] ?? { x: 0, y: 0 };
        return { x: start.x + (x - start.x) * eased, y: start.y + (y - start.y) * eased };
      });
      paintShown();
      if (part < 1) frame = requestAnimationFrame(step);
    };
    step(startMs);
    return () => cancelAnimationFrame(frame);
  }, [places]);
  useEffect(() => paintShown());
}
