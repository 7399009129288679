import { useQueryClient } from '@tanstack/react-query';
import { AlertDialog } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router-dom';
import { queryKeys } from '@/shared/api';
import { Button } from '@/shared/ui';

interface LeaveDialogProps {
  isChanged: boolean;
  /** "Your changes to …". */
  what: string;
}

/**
 * Asks before the member leaves unsaved changes. It is not our `Dialog`, which adds its own step to the browser's
 * history: the step that is being held back would get lost in it.
 */
export function LeaveDialog({ isChanged, what }: LeaveDialogProps) {
  const client = useQueryClient();
  const opener = useRef<Element>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged &&
      currentLocation.pathname !== nextLocation.pathname &&
      // After signing out, nobody is asked.
      client.getQueryData(queryKeys.currentUser) !== null,
  );
  useAskBeforeUnload(isChanged);
  const isAsking = blocker.state === 'blocked';
  return (
    <AlertDialog.Root open={isAsking} onOpenChange={(open) => !open && blocker.reset?.()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 grid animate-appear grid-cols-1 place-items-end overflow-y-auto bg-scrim backdrop-blur-xs sm:place-items-center sm:p-6">
          <AlertDialog.Content
            // Radix returns the focus only to its own trigger, and there is none.
            onOpenAutoFocus={() => {
              opener.current = document.activeElement;
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              if (opener.current instanceof HTMLElement) opener.current.focus();
            }}
            className="w-full animate-rise rounded-t-lg border border-line bg-sky-800 pb-[env(safe-area-inset-bottom)] shadow-raised sm:max-w-md sm:rounded-lg sm:pb-0"
          >
            <div className="p-4 sm:p-6">
              <AlertDialog.Title className="text-lg font-semibold text-ink">Leave without saving?</AlertDialog.Title>
              <AlertDialog.Description className="mt-1 text-sm text-ink-muted">
                {`${what} are not saved yet.`}
              </AlertDialog.Description>
            </div>
            <footer className="flex flex-col-reverse gap-2 border-t border-line p-4 sm:flex-row sm:justify-end sm:px-6">
              <AlertDialog.Cancel asChild>
                <Button>Keep editing</Button>
              </AlertDialog.Cancel>
              <Button variant="danger" onClick={() => blocker.proceed?.()}>
                Leave without saving
              </Button>
            </footer>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** When the tab is closed or the page reloaded, the browser asks in its own words. */
export function useAskBeforeUnload(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
