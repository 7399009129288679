import { useRef } from 'react';

/** What had the focus when a dialog opened. */
interface Opening {
  readonly element: Element | null;
  /** The dialog itself. */
  readonly content: EventTarget | null;
  /** The dialog that was open then, or gave way to this one. */
  readonly before: Opening | null;
  isClosed: boolean;
}

let newest: Opening | null = null;

/** What the content of every dialog does beyond Radix, which gives the focus back to its own trigger only: ours have none. */
export function useDialogContent() {
  const { remember, giveBack } = useOpener();
  return {
    onOpenAutoFocus: remember,
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      giveBack();
    },
    onInteractOutside: (event: Event) => {
      // A toast lies above the dialog; closing it is not an answer to the dialog's question.
      if (event.target instanceof Element && event.target.closest('[data-sonner-toaster]') !== null) {
        event.preventDefault();
      }
    },
  };
}

/**
 * Gives the focus back when a dialog closes: to what had it, or, when that went away, to the dialog that it was in; when that
 * one has closed as well, to what had it before that one.
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
      // One that has opened meanwhile has the focus, and gives it back in its turn.
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
