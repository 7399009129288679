import { KeyRound, ListChecks, RefreshCw, ShieldCheck, type LucideIcon } from 'lucide-react';
import { Card } from '@/shared/ui';

const TIPS: readonly { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: KeyRound,
    title: 'Keep secrets secure',
    text: 'A client secret belongs on a server, never in a page, an app or a repository.',
  },
  {
    icon: RefreshCw,
    title: 'Handle token refresh',
    text: 'Access tokens live for an hour. Each refresh returns a new refresh token and ends the old one.',
  },
  {
    icon: ShieldCheck,
    title: 'Validate the state parameter',
    text: 'Send a random state, and reject every answer without it.',
  },
  {
    icon: ListChecks,
    title: 'Request minimal scopes',
    text: 'Members tick each scope by hand. Ask for what you use.',
  },
];

/** The Best Practices card (rule oauth-6). */
export function BestPractices() {
  return (
    <Card title="Best Practices">
      <ul className="grid grid-cols-1 gap-4">
        {TIPS.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-3">
            <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-nova" />
            <div className="min-w-0">
              <h3 className="text-sm font-medium text-ink">{title}</h3>
              <p className="mt-0.5 text-sm text-ink-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
