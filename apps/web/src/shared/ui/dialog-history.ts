import { useEffect, useEffectEvent } from 'react';

/* The browser's back button closes the topmost dialog (rule screens-17). While n dialogs are open, the current
   history entry carries depth n. Opening one pushes a copy of the entry; closing one by other means goes back to
   the previous entry. The depth is kept in history.state, beside the router's own fields, so that a reload or a
   link out of a dialog cannot confuse it. */
const DEPTH = 'dialogDepth';

interface OpenDialog {
  close: () => void;
}

const openDialogs: OpenDialog[] = [];
let goingBack = false;
let planned: ReturnType<typeof setTimeout> | undefined;
/** Callbacks that wait until no step is under way. */
const waiting: (() => void)[] = [];

function historyState(): Record<string, unknown> {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null ? { ...state } : {};
}

function currentDepth(): number {
  const depth = historyState()[DEPTH];
  return typeof depth === 'number' ? depth : 0;
}

function reconcile(): void {
  planned = undefined;
  if (goingBack) return;
  const surplus = currentDepth() - openDialogs.length;
  if (surplus > 0) {
    goingBack = true;
    window.history.go(-surplus);
  }
  for (let depth = currentDepth() + 1; depth <= openDialogs.length; depth += 1) {
    window.history.pushState({ ...historyState(), [DEPTH]: depth }, '');
  }
  if (surplus <= 0) for (const run of waiting.splice(0)) run();
}

/** Waits a moment: a dialog that is replaced by another, or by another page, needs no step in history. */
function plan(): void {
  planned ??= setTimeout(reconcile, 0);
}

function onPopState(): void {
  if (goingBack) {
    goingBack = false;
    plan();
    return;
  }
  for (const dialog of openDialogs.slice(currentDepth()).toReversed()) dialog.close();
  // A dialog that would not close gets its step in history back.
  plan();
}

/**
 * Runs a callback that changes the page on its own, not after a click, right after a dialog may have closed. The
 * browser takes its time to go back over the dialog's step and would otherwise go back over the new page.
 */
export function afterDialogSteps(run: () => void): void {
  waiting.push(run);
  plan();
}

/** While `open`, the back button calls `close` instead of leaving the page. */
export function useBackButtonCloses(open: boolean, close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!open) return undefined;
    const dialog: OpenDialog = { close: () => closeNow() };
    if (openDialogs.length === 0) window.addEventListener('popstate', onPopState);
    openDialogs.push(dialog);
    plan();
    return () => {
      openDialogs.splice(openDialogs.indexOf(dialog), 1);
      plan();
    };
  }, [open]);
}
