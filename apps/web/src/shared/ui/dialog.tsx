import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import { buttonClasses } from './button';
import { useBackButtonCloses } from './dialog-history';
import { useDialogContent } from './dialog-openers';
import { type Hold, HoldContext } from './stay-open';

const widths = { sm: 'sm:max-w-sm', md: 'sm:max-w-md', lg: 'sm:max-w-2xl' };

/** A form's own button stays at the end of the dialog while the form scrolls beneath it. */
const submitInSight =
  '[&_form>[type=submit]]:sticky [&_form>[type=submit]]:bottom-4 [&_form>[type=submit]]:z-10 ' +
  'sm:[&_form>[type=submit]]:bottom-6 [&_form>[type=submit]]:shadow-[0_1.5rem_0_1rem_var(--color-sky-800)]';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  /** Actions, the primary one last. On a phone they stack, with the primary one on top. */
  footer?: ReactNode;
  size?: keyof typeof widths;
  children?: ReactNode;
}

/**
 * A dialog with one question. Esc, the back button, the x and a press outside close it; the focus returns to where it
 * was.
 */
export function Dialog({ open, onOpenChange, title, description, footer, size = 'md', children }: DialogProps) {
  const holds = useRef(0);
  const hold = useCallback<Hold>(() => {
    holds.current += 1;
    return () => {
      holds.current -= 1;
    };
  }, []);
  const change = (next: boolean) => {
    if (next || holds.current === 0) onOpenChange(next);
  };
  useBackButtonCloses(open, () => change(false));
  useFramesAbove(open);
  const content = useDialogContent();
  return (
    <RadixDialog.Root open={open} onOpenChange={change}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 grid animate-appear grid-cols-1 place-items-end overflow-y-auto bg-scrim backdrop-blur-xs sm:place-items-center sm:p-6">
          <RadixDialog.Content
            {...(description === undefined && { 'aria-describedby': undefined })}
            {...content}
            className={clsx(
              'relative flex w-full tall:max-h-[92dvh] animate-rise flex-col border border-line bg-sky-800 shadow-raised',
              'rounded-t-lg pb-[env(safe-area-inset-bottom)] sm:rounded-lg sm:pb-0 tall:sm:max-h-[86dvh]',
              widths[size],
            )}
          >
            <HoldContext value={hold}>
              <header className="p-4 pr-14 sm:p-6 sm:pr-16">
                <RadixDialog.Title className="text-lg font-semibold text-ink">{title}</RadixDialog.Title>
                {description !== undefined && (
                  <RadixDialog.Description className="mt-1 text-sm text-ink-muted">
                    {description}
                  </RadixDialog.Description>
                )}
              </header>
              {/* The scroll area can be reached by keyboard when nothing inside takes focus. */}
              <div className={clsx('min-h-0 overflow-y-auto', submitInSight)}>
                {/* The padding is inside: on the scroll area, it would lift a button that stays in sight over the form. */}
                <div className="px-4 pb-4 sm:px-6 sm:pb-6">{children}</div>
              </div>
              {footer !== undefined && (
                <footer className="flex flex-col-reverse gap-2 border-t border-line p-4 sm:flex-row sm:justify-end sm:px-6">
                  {footer}
                </footer>
              )}
            </HoldContext>
            <RadixDialog.Close
              aria-label="Close"
              className={buttonClasses({
                variant: 'ghost',
                size: 'icon',
                className: 'absolute top-2 right-2 sm:top-4 sm:right-4',
              })}
            >
              <X aria-hidden="true" className="size-5" />
            </RadixDialog.Close>
          </RadixDialog.Content>
        </RadixDialog.Overlay>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

const isAbove = (element: EventTarget | null): boolean =>
  element instanceof HTMLIFrameElement && element.closest('[role=dialog]') === null;

/**
 * While a dialog is open, a frame above it may keep the focus, which the dialog would otherwise take back at once: for
 * a bank's question to a buyer (3-D Secure), Stripe adds its own frame to the body.
 */
function useFramesAbove(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const keep = (event: FocusEvent) => {
      const goesTo = event.type === 'focusin' ? event.target : event.relatedTarget;
      // Stop it before the dialog's own listener runs.
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
