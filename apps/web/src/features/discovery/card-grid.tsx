import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react';
import type { CardFace } from './card-faces';
import type { ProfileCard } from './card-types';
import { FlipCard } from './flip-card';
import { columnStyle, rowStyle, useGridShape, type GridShape } from './grid-shape';
import { visiblePart, type VisiblePart } from './visible-part';

/** Rows rendered beyond the screen on each side: with them, a screen of 2,000 px holds fewer than 60 cards. */
const OVERSCAN_ROWS = 2;
/** At most this many turned cards are kept while out of sight, with what is typed into them. */
const KEPT_TURNED_MAX = 2;
/** The height of the bar above the page and, on a phone, the one below it, with some room. */
const BARS_PX = 84;
/** The first cards play their videos automatically (rule discovery-5). */
const AUTOPLAY_MAX = 3;

export interface CardGridProps {
  profiles: readonly ProfileCard[];
  hasMore: boolean;
  /** One card that was asked for, which has all of the grid's width. */
  isAlone: boolean;
  /** Which face of a card is up; cards missing here show their front. */
  faces: ReadonlyMap<string, CardFace>;
  isUnlocked: (profile: ProfileCard) => boolean;
  highlightedId: string | null;
  openChats: ReadonlyMap<string, string>;
  onVisible: (part: VisiblePart) => void;
}

/** The grid of cards. However many there are, only those near the screen are in the document. */
export function CardGrid(props: CardGridProps) {
  const { profiles, hasMore, isAlone, faces, highlightedId, onVisible } = props;
  const shape = useGridShape(isAlone);
  const { list, rows, near, totalPx } = useRows({ profiles, faces, shape, highlightedId });
  const autoplay = new Set(
    profiles
      .filter(({ profileCardContent }) => profileCardContent?.contentType === 'video')
      .slice(0, AUTOPLAY_MAX)
      .map(({ id }) => id),
  );
  const first = near.first * shape.columns;
  const last = Math.min((near.last + 1) * shape.columns, profiles.length);
  useEffect(() => onVisible(visiblePart(first, last)), [onVisible, first, last]);
  return (
    <ul ref={list} className="relative" style={{ height: totalPx }}>
      {rows.flatMap(({ index, top }) =>
        profiles.slice(index * shape.columns, (index + 1) * shape.columns).map((profile, column, row) => (
          <li
            key={profile.id}
            aria-setsize={hasMore ? -1 : profiles.length}
            aria-posinset={index * shape.columns + column + 1}
            inert={shape.isNarrow && isCovered(row, column, faces)}
            className={(faces.get(profile.id) ?? 'front') === 'front' ? 'absolute' : 'absolute z-1'}
            style={{ top, ...columnStyle(column, shape) }}
          >
            <Cell {...props} profile={profile} column={column} shape={shape} isAutoplay={autoplay.has(profile.id)} />
          </li>
        )),
      )}
    </ul>
  );
}

interface CellProps extends CardGridProps {
  profile: ProfileCard;
  column: number;
  shape: GridShape;
  isAutoplay: boolean;
}

function Cell({ profile, faces, isUnlocked, highlightedId, openChats, column, shape, isAutoplay }: CellProps) {
  const backStyle = useMemo(() => rowStyle(column, shape), [column, shape]);
  return (
    <FlipCard
      profile={profile}
      face={faces.get(profile.id) ?? 'front'}
      isUnlocked={isUnlocked(profile)}
      isHighlighted={highlightedId === profile.id}
      isAutoplay={isAutoplay}
      openChatId={openChats.get(profile.id) ?? null}
      backStyle={backStyle}
    />
  );
}

/** On a phone, a turned card covers the other card of its row. */
const isCovered = (row: readonly ProfileCard[], column: number, faces: ReadonlyMap<string, CardFace>): boolean =>
  row.some(({ id }, other) => other !== column && (faces.get(id) ?? 'front') !== 'front');

interface RowsOf {
  profiles: readonly ProfileCard[];
  faces: ReadonlyMap<string, CardFace>;
  shape: GridShape;
  highlightedId: string | null;
}

/** The rows near the screen, and the rows of the cards that were turned last. */
function useRows({ profiles, faces, shape, highlightedId }: RowsOf) {
  const { columns, gapPx, cardHeightPx } = shape;
  const list = useRef<HTMLUListElement>(null);
  const marginPx = useTopOf(list);
  const turned = [...faces.keys()].slice(-KEPT_TURNED_MAX);
  const kept = turned.map((id) => Math.floor(profiles.findIndex((profile) => profile.id === id) / columns));
  const keptRows = kept.filter((row) => row >= 0).join();
  // First what is on the screen.
  const overscan = useDeferredValue(OVERSCAN_ROWS, 0);
  // The result is used only in this render.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(profiles.length / columns),
    estimateSize: () => cardHeightPx,
    gap: gapPx,
    overscan,
    // The first render has the first rows already.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    scrollMargin: marginPx,
    scrollPaddingStart: BARS_PX,
    scrollPaddingEnd: BARS_PX,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const also = keptRows === '' ? [] : keptRows.split(',').map(Number);
        return [...new Set([...defaultRangeExtractor(range), ...also])].toSorted((one, other) => one - other);
      },
      [keptRows],
    ),
  });
  useFollow({ profiles, columns, id: highlightedId, scrollTo: virtualizer.scrollToIndex });
  const { range } = virtualizer;
  return {
    list,
    /** Without the kept rows, which may be far away. */
    near:
      range === null
        ? { first: 0, last: -1 }
        : { first: Math.max(0, range.startIndex - overscan), last: range.endIndex + overscan },
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ index, top: start - marginPx })),
    totalPx: virtualizer.getTotalSize(),
  };
}

interface Follow {
  profiles: readonly ProfileCard[];
  columns: number;
  id: string | null;
  scrollTo: (row: number, options: { align: 'auto' }) => void;
}

/** Scrolls to the new place of a card that has risen. */
function useFollow({ profiles, columns, id, scrollTo }: Follow): void {
  const row = id === null ? -1 : Math.floor(profiles.findIndex((profile) => profile.id === id) / columns);
  const seen = useRef({ id, row });
  useEffect(() => {
    const before = seen.current;
    seen.current = { id, row };
    if (id !== null && before.id === id && before.row !== row && row >= 0) scrollTo(row, { align: 'auto' });
  }, [id, row, scrollTo]);
}

/** How far below the top of the page an element begins; what is above it comes and goes. */
function useTopOf(element: RefObject<HTMLElement | null>): number {
  const [topPx, setTopPx] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      const box = element.current?.getBoundingClientRect();
      if (box !== undefined) setTopPx(Math.round(box.top + window.scrollY));
    });
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return topPx;
}
