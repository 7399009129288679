import { smallerPicture } from '@app/domain';
import {
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { nodeMood } from '../thread-moods';
import type { PersonalThread } from '../thread-types';
import { NAMED_NODES_MAX, nearest, nodeRadius, placeNodes, type Point } from './constellation';
import { CENTRE_RADIUS, paintSky, type SkyTarget } from './paint-sky';

/** The canvas height, and how near to a node a press counts (rule nexus-5). */
const CANVAS_HEIGHT = 600;
const HIT_RADIUS = 20;
/** More nodes would be a cloud: the canvas shows the newest, and the list has all. */
export const CANVAS_NODES_MAX = 60;

export interface ConstellationCanvasProps {
  me: { displayName: string; profileImageUrl: string | null };
  /** Newest first. */
  threads: readonly PersonalThread[];
  onThread: (thread: PersonalThread) => void;
  onCentre: () => void;
}

/**
 * A node for each thread around the member. The list beside it is the equivalent for keyboards and screen readers (rule
 * nexus-5).
 */
export function ConstellationCanvas({ me, threads, onThread, onCentre }: ConstellationCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useWidth(canvas);
  const ratio = useDevicePixelRatio();
  const [hovered, setHovered] = useState<SkyTarget>(null);
  const shown = threads.slice(0, CANVAS_NODES_MAX);
  const places = useMemo(() => placeNodes(shown.length, { width, height: CANVAS_HEIGHT }), [shown.length, width]);
  const images = useLoadedImages(
    [me.profileImageUrl, ...shown.map(({ connectedUser }) => connectedUser.profileImageUrl)].filter(
      (url) => url !== null,
    ),
  );
  const imageOf = (url: string | null) => (url === null ? undefined : images.get(url));

  useSettlingPoints(places, (points) => {
    const context = canvas.current?.getContext('2d');
    if (!context || width === 0) return;
    paintSky(context, {
      size: { width, height: CANVAS_HEIGHT },
      ratio,
      centre: { name: me.displayName, image: imageOf(me.profileImageUrl) },
      nodes: shown.map(({ connectedUser, connectedUserMood, connectionType }) => ({
        name: connectedUser.displayName,
        image: imageOf(connectedUser.profileImageUrl),
        moodToken: nodeMood(connectedUserMood).token,
        line: connectionType,
      })),
      points,
      radius: nodeRadius(places),
      named: shown.length <= NAMED_NODES_MAX,
      hovered,
    });
  });

  const open = (event: MouseEvent<HTMLCanvasElement>) => {
    const target = targetAt(placeOf(event), places);
    const thread = typeof target === 'number' ? shown[target] : undefined;
    if (target === 'centre') onCentre();
    if (thread) onThread(thread);
  };
  const hover = (event: PointerEvent<HTMLCanvasElement>) => setHovered(targetAt(placeOf(event), places));

  return (
    <canvas
      ref={canvas}
      // The list says all of this, and the header offers what the centre opens.
      aria-hidden="true"
      width={Math.round(width * ratio)}
      height={Math.round(CANVAS_HEIGHT * ratio)}
      className={`block h-[600px] w-full touch-manipulation bg-[radial-gradient(closest-side,var(--color-sky-700),transparent)] ${hovered === null ? '' : 'cursor-pointer'}`}
      onClick={open}
      onPointerMove={hover}
      onPointerLeave={() => setHovered(null)}
    />
  );
}

/** Relative to the canvas's middle. */
function placeOf({ currentTarget, clientX, clientY }: MouseEvent<HTMLCanvasElement>): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
}

function targetAt(point: Point, places: readonly Point[]): SkyTarget {
  const index = nearest(places, point, HIT_RADIUS);
  if (index >= 0) return index;
  return Math.hypot(point.x, point.y) <= CENTRE_RADIUS ? 'centre' : null;
}

const SETTLE_MS = 700;

/** The width of an element, 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** Device pixels per CSS pixel; follows zooming and a move to another screen. */
function useDevicePixelRatio(): number {
  const subscribe = useCallback((listener: () => void) => {
    window.addEventListener('resize', listener);
    return () => window.removeEventListener('resize', listener);
  }, []);
  return useSyncExternalStore(subscribe, () => window.devicePixelRatio);
}

/** The images that have loaded, by address. */
function useLoadedImages(urls: readonly string[]): ReadonlyMap<string, HTMLImageElement> {
  const [loaded, setLoaded] = useState<ReadonlyMap<string, HTMLImageElement>>(new Map());
  const asked = useRef(new Set<string>());
  const load = useEffectEvent((url: string) => {
    if (asked.current.has(url)) return;
    asked.current.add(url);
    const image = new Image();
    image.addEventListener('load', () => setLoaded((before) => new Map(before).set(url, image)));
    image.src = smallerPicture(url, 'small');
  });
  const key = JSON.stringify(urls);
  useEffect(() => {
    for (const url of JSON.parse(key) as string[]) load(url);
  }, [key]);
  return loaded;
}

/**
 * Moves points from where they are shown (new ones from the centre) to their places, then rests; with reduced motion,
 * moves them at once. Paints on each step and after each render.
 */
function useSettlingPoints(places: readonly Point[], paint: (points: readonly Point[]) => void): void {
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
