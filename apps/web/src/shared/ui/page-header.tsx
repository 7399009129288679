import { ArrowLeft } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buttonClasses } from './button';

let pageTitle = 'Nova';
let waiting = 0;

function showTitle(): void {
  const title = pageTitle === 'Nova' ? pageTitle : `${pageTitle} · Nova`;
  document.title = waiting === 0 ? title : `(${waiting}) ${title}`;
}

/** Sets the document's title to the page's: `Wallet · Nova`. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    pageTitle = title;
    showTitle();
  }, [title]);
}

/** Puts a number before the title of every page: `(2) Wallet · Nova`. */
export function useTitleBadge(count: number): void {
  useEffect(() => {
    waiting = count;
    showTitle();
    return () => {
      waiting = 0;
      showTitle();
    };
  }, [count]);
}

export interface PageHeaderProps {
  title: string;
  description?: ReactNode;
  /** The path of the back link; without it, there is none. */
  backTo?: string;
  backLabel?: string;
  /** Controls at the right, with at most one primary action. */
  actions?: ReactNode;
}

/** The page's h1, its back link and its main actions. */
export function PageHeader({ title, description, backTo, backLabel = 'Back', actions }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 items-start gap-2">
        {/* Aligned with the first line of the title, which is less high than the target. */}
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
