import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';

export interface CrumbsProps {
  steps: readonly { to: string; label: string }[];
  here: string;
}

/** The way from the totals to the page that is shown. */
export function Crumbs({ steps, here }: CrumbsProps) {
  return (
    <nav aria-label="Breadcrumb" className="mb-3">
      <ol className="flex flex-wrap items-center gap-x-1 text-sm text-ink-muted">
        {steps.map(({ to, label }) => (
          <li key={to} className="inline-flex items-center gap-1">
            <Link
              to={to}
              className="inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 hover:text-ink"
            >
              {label}
            </Link>
            <ChevronRight aria-hidden="true" className="size-4 text-ink-faint" />
          </li>
        ))}
        <li aria-current="page" className="inline-flex min-h-11 items-center text-ink">
          {here}
        </li>
      </ol>
    </nav>
  );
}
