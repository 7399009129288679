import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import type { PaidPress } from '../api/paid-press';
import { type Box, isIn, type Point, SETTLES_MS, Standing } from './standing';
import { toast } from './toast';

/** How often the controls on the page are looked at. */
const LOOK_MS = 100;

/** A browser moves the focus within this time of the press or key for it. */
const AT_ONCE_MS = 100;

/** Keys that move the focus. */
const MOVES_FOCUS = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);

const watched = new Map<Element, Standing>();
let pointer: Point | null = null;
/** When the member last did what moves the focus at once: a press, or one of the keys for it. */
let movedFocusAtMs = -Infinity;
/** A key that is held down repeats its press. */
let isRepeat = false;
let timer: ReturnType<typeof setInterval> | undefined;

function look(): void {
  for (const [element, standing] of watched) standing.isAt(placeOf(element), performance.now());
}

/** The control's box, and the pointer if it is over it while something else lies between the two. */
function placeOf(element: Element): { box: Box; coveredAt: Point | null } {
  const box = element.getBoundingClientRect();
  if (pointer === null || box.width === 0 || !isIn(box, pointer)) return { box, coveredAt: null };
  const top = document.elementFromPoint(pointer.x, pointer.y);
  return { box, coveredAt: top === null || element.contains(top) ? null : pointer };
}

if (typeof window !== 'undefined') {
  const options = { capture: true, passive: true };
  const follow = ({ clientX: x, clientY: y }: PointerEvent) => {
    pointer = { x, y };
  };
  window.addEventListener('pointermove', follow, options);
  window.addEventListener(
    'pointerdown',
    (event) => {
      follow(event);
      movedFocusAtMs = performance.now();
      // Before the page answers the press: what is under it now may be gone by the next look.
      look();
    },
    options,
  );
  window.addEventListener(
    'keydown',
    ({ key, repeat }) => {
      isRepeat = repeat;
      if (MOVES_FOCUS.has(key)) movedFocusAtMs = performance.now();
    },
    options,
  );
  window.addEventListener('keyup', () => (isRepeat = false), options);
}

function watch(element: Element, standing: Standing): () => void {
  standing.isAt(placeOf(element), performance.now());
  watched.set(element, standing);
  timer ??= setInterval(look, LOOK_MS);
  return () => {
    watched.delete(element);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export interface PaidPressOptions {
  /** What is bought and from whom. When it changes, the control counts as a new one. */
  buys: string;
  onPay: (press: PaidPress) => void;
}

export interface PaidControl {
  ref: RefObject<HTMLButtonElement | null>;
  onClick: (event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (event: FocusEvent) => void;
}

/**
 * The props of a button whose press takes Nova from the member. It pays only if the member meant this very control
 * (rule screens-20): under a pointer, it must have stood for 600 ms, not covered by anything; under a keyboard, the
 * focus must have been moved there by the member, or 600 ms ago; a key that is held down pays once.
 */
export function usePaidPress({ buys, onPay }: PaidPressOptions): PaidControl {
  const ref = useRef<HTMLButtonElement>(null);
  const standing = useRef(new Standing());
  const settledAtMs = useRef(-Infinity);
  const isKeyRefused = useRef(false);
  useEffect(() => (ref.current === null ? undefined : watch(ref.current, standing.current)), []);
  const before = useRef(buys);
  useLayoutEffect(() => {
    if (before.current === buys) return;
    before.current = buys;
    standing.current.forget();
    if (ref.current !== null) standing.current.isAt(placeOf(ref.current), performance.now());
    settledAtMs.current = performance.now() + SETTLES_MS;
  }, [buys]);

  const isMeant = ({ detail, clientX: x, clientY: y }: MouseEvent): boolean => {
    // Keys, and assistive technology, click without a pointer.
    if (detail === 0) return !isRepeat && !isKeyRefused.current;
    look();
    return standing.current.hasBeenUnder({ x, y }, performance.now());
  };
  return {
    ref,
    onFocus: () => {
      if (performance.now() - movedFocusAtMs > AT_ONCE_MS) settledAtMs.current = performance.now() + SETTLES_MS;
    },
    onKeyDown: () => {
      isKeyRefused.current = performance.now() < settledAtMs.current;
    },
    onClick: (event) => {
      if (isMeant(event)) onPay({} as PaidPress);
      else if (!isRepeat)
        toast({ title: 'Nothing was paid', description: 'This has just moved here. Press it again.' });
      // A form that this button submits is sent by `onPay`.
      event.preventDefault();
    },
  };
}
