import type { PaidPress } from '@/shared/api';

/** Keys that scroll the page. */
const SCROLL_KEYS = new Set(['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', ' ']);

/** What has its own use for those keys. */
const CONTROLS = 'a, button, input, select, textarea, [role=slider], [role=dialog], [role=alertdialog]';

/** What is on a post and reads nothing of it: links to other pages, and what is marked as such, like sharing. */
const READS_NOTHING = 'a, [data-reads-nothing]';

const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

const reads = (target: EventTarget | null): boolean => isWithin(target, 'article') && !isWithin(target, READS_NOTHING);

/**
 * Calls `begin` once, when the member begins to read: they scroll, or tap or press something in a post that
 * reads it (rule feed-15).
 * Scrolling by the page itself does not count. Returns the function that stops waiting.
 */
export function onceReading(begin: (press: PaidPress) => void): () => void {
  const waiting = new AbortController();
  const read = () => {
    waiting.abort();
    begin({} as PaidPress);
  };
  const options = { signal: waiting.signal, capture: true, passive: true };
  window.addEventListener('wheel', (event) => scrollsPage(event) && read(), options);
  window.addEventListener('touchmove', (event) => scrollsPage(event) && read(), options);
  window.addEventListener('pointerdown', ({ target }) => reads(target) && read(), options);
  window.addEventListener(
    'keydown',
    ({ key, target }) => {
      if (SCROLL_KEYS.has(key) ? !isWithin(target, CONTROLS) : key === 'Enter' && reads(target)) read();
    },
    options,
  );
  return () => waiting.abort();
}

/** Not what makes the page larger, nor what moves a dialog over it. */
const scrollsPage = ({ target, ctrlKey }: WheelEvent | TouchEvent): boolean =>
  !ctrlKey && !isWithin(target, '[role=dialog], [role=alertdialog]');
