import { useRef } from 'react';

const ABOVE_DIALOGS = '[data-sonner-toaster], [data-above-dialogs]';

/** What had the focus when a dialog opened. */
interface Opening {
  readonly element: Element | null;
  /** The content element of the dialog. */
  readonly content: EventTarget | null;
  /** The dialog that was open at the time, or that this one replaced. */
  readonly before: Opening | null;
  isClosed: boolean;
}

let newest: Opening | null = null;

/**
 * Adds to the content of every dialog what Radix lacks: Radix returns the focus only to its own trigger, and our
 * dialogs have none.
 */
export function useDialogContent() {
  const { remember, giveBack } = useOpener();
  return {
    onOpenAutoFocus: remember,
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      giveBack();
    },
    onInteractOutside: (event: Event) => {
      // A toast or a call lies above the dialog; answering it is not an answer to the dialog.
      if (event.target instanceof Element && event.target.closest(ABOVE_DIALOGS) !== null) {
        event.preventDefault();
      }
    },
  };
}

/**
 * Returns the focus when a dialog closes: to what had it; if that is gone, to the dialog that it was in; and if that
 * one has closed as well, to what had the focus before that one.
 */
function useOpener(): { remember: (event: Event) => void; giveBack: () => void } {
  const opening = useRef<Opening | null>(null);
  return {
    remember({ target: content }) {
      opening.current = { element: document.activeElement, content, before: newest, isClosed: false };
      newest = opening.current;
    },
    giveBack() {
      const closed = opening.current;
      if (closed === null) return;
      closed.isClosed = true;
      // A dialog that has opened meanwhile has the focus, and returns it in turn.
      if (newest !== closed) return;
      while (newest?.isClosed === true) newest = newest.before;
      for (let from: Opening | null = closed; from !== null; from = from.before) {
        const to = from.isClosed ? from.element : from.content;
        if (to instanceof HTMLElement && to !== document.body && to.isConnected) {
          to.focus();
          return;
        }
      }
    },
  };
}
