import { useMemo } from 'react';
import { useMediaQuery } from '@/shared/hooks/use-media-query';

/** 288 px (rule discovery-6) at the default font size; a card's `h-72`. Cards grow with a larger font size. */
const CARD_HEIGHT_REM = 18;

export interface GridShape {
  columns: number;
  gapPx: number;
  cardHeightPx: number;
  /** Cards are so narrow that a turned one takes its whole row. */
  isNarrow: boolean;
}

/**
 * 2 to 4 columns (rule discovery-6); one where large letters leave no room for two, and for one card alone.
 */
export function useGridShape(isAlone = false): GridShape {
  const isAtLeast = [
    useMediaQuery('(width >= 20rem)'),
    useMediaQuery('(width >= 48rem)'),
    useMediaQuery('(width >= 64rem)'),
  ];
  const columns = isAlone ? 1 : 1 + isAtLeast.filter(Boolean).length;
  const isNarrow = !useMediaQuery('(width >= 37.5rem)');
  return useMemo(() => {
    const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    return { columns, gapPx: isNarrow ? 12 : 16, cardHeightPx: Math.round(CARD_HEIGHT_REM * remPx), isNarrow };
  }, [columns, isNarrow]);
}

/** Where a column begins and how wide it is, at any width of the grid. */
export function columnStyle(column: number, { columns, gapPx }: GridShape): { left: string; width: string } {
  const width = `(100% - ${(columns - 1) * gapPx}px) / ${columns}`;
  return { left: `calc((${width} + ${gapPx}px) * ${column})`, width: `calc(${width})` };
}

/** The whole row, seen from one of its two cards. */
export function rowStyle(
  column: number,
  { columns, gapPx, isNarrow }: GridShape,
): { left: string; right: string } | undefined {
  if (!isNarrow || columns === 1) return undefined;
  const reach = `calc(-100% - ${gapPx}px)`;
  return column === 0 ? { left: '0', right: reach } : { left: reach, right: '0' };
}
