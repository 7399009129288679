import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatCount } from '@/shared/api';
import { Button } from '@/shared/ui';
import type { Pagination } from './use-admin';

/** Which rows of how many are shown, with links to the previous and next page. */
export function Pager({
  pagination,
  label,
  onGoTo,
}: {
  pagination: Pagination;
  label: string;
  onGoTo: (page: number) => void;
}) {
  const { page, limit, total, totalPages } = pagination;
  if (total === 0) return null;
  const first = (page - 1) * limit + 1;
  const last = Math.min(page * limit, total);
  return (
    <nav
      aria-label={label}
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-3 cramped:flex-wrap sm:px-6"
    >
      <p className="text-sm text-ink-muted tabular-nums">
        {page > totalPages ? 'None' : `${formatCount(first)}–${formatCount(last)}`} of {formatCount(total)}
      </p>
      <div className="flex items-center gap-2 print:hidden">
        <Button
          size="icon"
          aria-label="Previous page"
          disabled={page <= 1}
          onClick={() => onGoTo(Math.min(page - 1, totalPages))}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
        </Button>
        <span className="text-sm text-ink-muted tabular-nums">
          {formatCount(page)} / {formatCount(Math.max(totalPages, 1))}
        </span>
        <Button size="icon" aria-label="Next page" disabled={page >= totalPages} onClick={() => onGoTo(page + 1)}>
          <ChevronRight aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </nav>
  );
}
