import { clsx } from 'clsx';
import { scopeTitle } from '@/features/oauth/scopes';
import { Badge } from '@/shared/ui';

/** Shows scopes by their titles. */
export function ScopeList({ scopes, className }: { scopes: readonly string[]; className?: string }) {
  return (
    <ul aria-label="Scopes" className={clsx('flex flex-wrap gap-1.5', className)}>
      {scopes.map((scope) => (
        <li key={scope} title={scope}>
          <Badge>{scopeTitle(scope)}</Badge>
        </li>
      ))}
    </ul>
  );
}
