import { useEffect } from 'react';

const isAbove = (element: EventTarget | null): boolean =>
  element instanceof HTMLIFrameElement && element.closest('[role=dialog]') === null;

/**
 * While a dialog is open, a frame above it keeps the focus, which the dialog would take back at once: Stripe puts what a bank
 * asks of a buyer (3-D Secure) into a frame of its own under the body.
 */
export function useFramesAbove(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const keep = (event: FocusEvent) => {
      const goesTo = event.type === 'focusin' ? event.target : event.relatedTarget;
      // Before the dialog hears of it.
      if (isAbove(goesTo)) event.stopPropagation();
    };
    document.addEventListener('focusin', keep, true);
    document.addEventListener('focusout', keep, true);
    return () => {
      document.removeEventListener('focusin', keep, true);
      document.removeEventListener('focusout', keep, true);
    };
  }, [open]);
}
