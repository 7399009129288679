import { useMediaQuery } from './use-media-query';

/** Whether videos may begin without a press: not with reduced motion, and not where the browser saves data. */
export function usePlaysByItself(): boolean {
  const isStill = useMediaQuery('(prefers-reduced-motion: reduce)');
  return !isStill && !savesData();
}

/** Only some browsers say so: https://developer.mozilla.org/docs/Web/API/NetworkInformation/saveData */
const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
