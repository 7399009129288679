import { useQueryClient } from '@tanstack/react-query';
import { AlertDialog } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router-dom';
import { queryKeys } from '@/shared/api';
import { Button } from '@/shared/ui';

/**
 * Asks before unsaved changes are left behind. No `Dialog` of ours: that one takes a step in the browser's history of its
 * own, which the step that is being held back would then lose its way in.
 */
export function LeaveDialog({ isChanged }: { isChanged: boolean }) {
  const client = useQueryClient();
  const opener = useRef<Element>(null);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isChanged &&
      currentLocation.pathname !== nextLocation.pathname &&
      // Nobody is asked after signing out.
      client.getQueryData(queryKeys.currentUser) !== null,
  );
  useAskBeforeUnload(isChanged);
  const isAsking = blocker.state === 'blocked';
  return (
    <AlertDialog.Root open={isAsking} onOpenChange={(open) => !open && blocker.reset?.()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 grid animate-appear grid-cols-1 place-items-end overflow-y-auto bg-scrim backdrop-blur-xs sm:place-items-center sm:p-6">
          <AlertDialog.Content
            // Radix gives the focus back to its own trigger only, and there is none.
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
                Your changes to your Resonance profile are not saved yet.
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

/** Closing the tab or loading the page anew is asked about by the browser, in its own words. */
function useAskBeforeUnload(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
