import { Link } from 'react-router-dom';
import { toast as sonner, Toaster as SonnerToaster } from 'sonner';
import { ApiError, errorSentence, hasCode } from '../api/api-error';
import { onAnswered } from '../api/api-fetch';
import { useMediaQuery } from '../hooks/use-media-query';

export interface ToastOptions {
  title: string;
  description?: string | undefined;
  variant?: 'default' | 'destructive';
  /** A button that leads to what the toast is about. */
  action?: { label: string; onClick: () => void };
  /** Leads to a page: instead of an action. */
  link?: { label: string; to: string };
  /** Nothing else on the screen says it: it stays long enough to be read twice. */
  isLong?: boolean;
}

/** A toast with an action stays long enough to be read and reached. */
const LONG_MS = 10_000;

/** A quiet toast is one glance long. */
const QUIET_MS = 1_500;

let last: string | number | undefined;
/** The last one that must be read: an error, or one with an action. */
let loud: string | number | undefined;
/** The error on the screen, and the call that failed. */
let failed: { call: string; toast: string | number } | undefined;

/**
 * Shows a toast in place of the one before: at most one is on screen (rule screens-10). For messages that have no other
 * place.
 */
export function toast({ title, description, variant = 'default', action, link, isLong }: ToastOptions): void {
  if (last !== undefined) sonner.dismiss(last);
  const show = variant === 'destructive' ? sonner.error : sonner;
  last = show(title, {
    description,
    action: link === undefined ? action : <ToastLink {...link} />,
    ...((action ?? link ?? isLong) && { duration: LONG_MS }),
  });
  if (variant === 'destructive' || action || link) loud = last;
}

/** Takes away the toast that is on the screen. */
export function clearToast(): void {
  if (last !== undefined) sonner.dismiss(last);
}

/** A small word in passing, which soon leaves by itself. An error, and a toast with an action, stay in its place. */
export function quietToast(text: string): void {
  if (sonner.getToasts().some(({ id }) => id === loud)) return;
  if (last !== undefined) sonner.dismiss(last);
  const className = 'ml-auto! w-auto! rounded-full! px-3! py-1.5! text-xs!';
  last = sonner(text, { duration: QUIET_MS, closeButton: false, className });
}

const ToastLink = ({ label, to }: { label: string; to: string }) => (
  <Link to={to} className={ACTION_LOOK} onClick={() => last !== undefined && sonner.dismiss(last)}>
    {label}
  </Link>
);

const ACTION_LOOK =
  'ml-auto inline-flex min-h-11 shrink-0 items-center self-center rounded-sm border border-line-strong px-3 text-sm font-medium whitespace-nowrap text-ink hover:border-ink-faint sm:min-h-9';

/** The way out of too little Nova. */
export const TOP_UP = { label: 'Top Up', to: '/wallet?topup=1' } as const;

/** Says that something is wrong or has failed. If the `cause` is too little Nova, offers to buy some. */
export const failureToast = (title: string, description?: string, cause?: unknown): void =>
  toast({
    title,
    description,
    variant: 'destructive',
    ...(hasCode(cause, 'INSUFFICIENT_NOVA') && { link: TOP_UP }),
  });

/** Says what has failed and why: in the server's words if it sent any, else with `fallback` (rule general-8). */
export function errorToast(title: string, error: unknown, fallback = 'Please try again.'): void {
  failureToast(title, errorSentence(error, fallback), error);
  if (error instanceof ApiError && last !== undefined) failed = { call: error.call, toast: last };
}

// The same call has succeeded: what was said of its failure is over.
onAnswered((call) => {
  if (failed?.call === call) sonner.dismiss(failed.toast);
});

/** Where toasts appear. Render it once, at the root. */
export function Toaster() {
  // On a phone, toasts appear below the top bar: the bottom belongs to the tabs and to a dialog's actions.
  const onPhone = useMediaQuery('(width < 40rem)');
  return (
    <SonnerToaster
      position={onPhone ? 'top-center' : 'bottom-right'}
      visibleToasts={1}
      theme="dark"
      closeButton
      offset={{ bottom: 88, right: 24 }}
      mobileOffset={{ top: 72, left: 12, right: 12 }}
      className="pointer-events-auto font-sans!"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'group flex w-full items-start gap-3 rounded-md border border-line bg-sky-700 p-4 pr-12 text-sm text-ink shadow-raised',
          error: 'border-loss/60!',
          icon: 'mt-0.5 text-loss',
          title: 'font-semibold',
          description: 'mt-0.5 text-ink-muted',
          actionButton: ACTION_LOOK,
          closeButton:
            'absolute top-0.5! right-0.5! grid size-11! place-items-center rounded-sm border-0! bg-transparent! text-ink-faint! hover:text-ink! sm:top-1.5! sm:right-1.5! sm:size-9!',
        },
      }}
    />
  );
}
