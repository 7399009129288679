import { useMediaQuery } from '@/shared/hooks/use-media-query';

/** Whether a table has room for its columns; if not, each row is a card. */
export const useWideScreen = (): boolean => useMediaQuery('(width >= 64rem)');
