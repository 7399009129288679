import { useMemo } from 'react';
import { useMediaQuery } from '@/shared/hooks/use-media-query';

/** S0 §9. */
export const CARD_HEIGHT_PX = 288;

export interface GridShape {
  columns: number;
  gapPx: number;
  /** Cards are so narrow that a turned one takes its whole row. */
  isNarrow: boolean;
}

/** 2 to 4 columns (S0 §2 Discovery grid). */
export function useGridShape(): GridShape {
  const isMedium = useMediaQuery('(min-width: 768px)');
  const isWide = useMediaQuery('(min-width: 1024px)');
  const isNarrow = !useMediaQuery('(min-width: 600px)');
  return useMemo(() => {
    const columns = isMedium ? 3 : 2;
    return { columns: isWide ? 4 : columns, gapPx: isNarrow ? 12 : 16, isNarrow };
  }, [isMedium, isWide, isNarrow]);
}

/** Where a column begins and how wide it is, whatever the width of the grid. */
export function columnStyle(column: number, { columns, gapPx }: GridShape): { left: string; width: string } {
  const width = `(100% - ${(columns - 1) * gapPx}px) / ${columns}`;
  return { left: `calc((${width} + ${gapPx}px) * ${column})`, width: `calc(${width})` };
}

/** The whole row, from one of its two cards. */
export function rowStyle(column: number, { gapPx, isNarrow }: GridShape): { left: string; right: string } | undefined {
  if (!isNarrow) return undefined;
  const reach = `calc(-100% - ${gapPx}px)`;
  return column === 0 ? { left: '0', right: reach } : { left: reach, right: '0' };
}
