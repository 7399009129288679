import { ShieldAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button, buttonClasses, RelativeTime } from '@/shared/ui';
import { useMarkNoticesSeen, useSecurityNotices } from './use-security';

/** At most this many notices are shown one by one. */
const SHOWN_MAX = 3;

/** Security notices that nobody has seen on this device yet, shown above every page until they are dismissed. */
export function SecurityBanner() {
  const { data } = useSecurityNotices();
  const { mutate: markSeen } = useMarkNoticesSeen();
  const unseen = data?.notices.filter(({ isUnseen }) => isUnseen) ?? [];
  const [newest] = unseen;
  if (newest === undefined) return null;
  const more = unseen.length - SHOWN_MAX;
  return (
    <section
      aria-label="Security notices"
      className="mb-6 flex flex-wrap items-start gap-x-4 gap-y-3 rounded-lg border border-hold/40 bg-sky-800 p-4 print:hidden"
    >
      <ShieldAlert aria-hidden="true" className="size-5 shrink-0 text-hold" />
      <div className="min-w-0 flex-1 basis-56">
        <ul className="grid gap-1">
          {unseen.slice(0, SHOWN_MAX).map(({ id, message, createdAt }) => (
            <li key={id} className="text-sm text-ink">
              <span dir="auto">{message}</span>{' '}
              <span className="text-xs whitespace-nowrap text-ink-faint">
                <RelativeTime iso={createdAt} />
              </span>
            </li>
          ))}
        </ul>
        <p className="mt-1 text-sm text-ink-muted">
          {more > 0 && <span>There are {more} more. </span>}
          <span>If it was not you, change your password.</span>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to="/profile?tab=settings" className={buttonClasses({ size: 'sm' })}>
          Security Settings
        </Link>
        <Button size="sm" onClick={() => markSeen(newest.id)}>
          Got It
        </Button>
      </div>
    </section>
  );
}
