import { ArrowLeft } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buttonClasses } from './button';

/** The document's title follows the page: `Wallet · Nova`. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Nova' ? title : `${title} · Nova`;
  }, [title]);
}

export interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  /** Path of the back link; none without it. */
  backTo?: string;
  backLabel?: string;
  /** Controls at the right: one primary action at most. */
  actions?: ReactNode;
}

/** The page's h1, its way back and its main actions. */
export function PageHeader({ title, description, backTo, backLabel = 'Back', actions }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 items-start gap-2">
        {/* Beside the title's first line, which is less high than the target. */}
        {backTo !== undefined && (
          <Link
            to={backTo}
            aria-label={backLabel}
            className={buttonClasses({
              variant: 'ghost',
              size: 'icon',
              className: '-my-1.25 -ml-2 sm:-my-px print:hidden',
            })}
          >
            <ArrowLeft aria-hidden="true" className="size-5" />
          </Link>
        )}
        <div className="min-w-0">
          <h1 className="font-display text-xl font-semibold text-ink cramped:text-lg">{title}</h1>
          {description !== undefined && <p className="mt-1 text-sm text-ink-muted">{description}</p>}
        </div>
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
    </header>
  );
}
