import { useStoredValue } from '@/shared/hooks/use-stored-value';
import { Button } from '@/shared/ui';

/**
 * `true` after Accept All, `false` after Decline Optional (rule screens-9); nothing optional runs before or without
 * acceptance.
 */
const COOKIE_CHOICE_KEY = 'nova.optionalCookies';

/** Shown until a choice is stored on this device. */
export function CookieNotice() {
  const [choice, store] = useStoredValue(COOKIE_CHOICE_KEY);
  if (choice !== null) return null;
  return (
    <aside
      aria-label="Cookie notice"
      data-cookie-notice
      className="z-20 mt-auto border-t border-line bg-sky-800/95 pb-[env(safe-area-inset-bottom)] backdrop-blur-sm tall:sm:sticky tall:sm:bottom-0"
    >
      <div className="mx-auto flex max-w-5xl flex-col gap-3 p-4 sm:flex-row sm:items-center sm:gap-6">
        <p className="flex-1 text-sm text-ink-muted">
          Essential cookies keep you signed in. With your consent we also use analytics cookies to improve Nova. Your
          data is not sold, and no advertising tracking is used.
        </p>
        <div className="grid grid-cols-2 gap-2 sm:flex">
          <Button onClick={() => store('false')}>Decline Optional</Button>
          <Button variant="primary" onClick={() => store('true')}>
            Accept All
          </Button>
        </div>
      </div>
    </aside>
  );
}
