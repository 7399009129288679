import { clsx } from 'clsx';
import type { LucideIcon } from 'lucide-react';
import { RotateCcw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { Card } from './card';
import { useDocumentTitle } from './page-header';

export interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** Says what belongs here. */
  text?: ReactNode;
  /** The next step. */
  action?: ReactNode;
  /** `h1` if nothing else is on the page. */
  level?: 'h1' | 'h2';
  className?: string;
}

/** Says what belongs in an empty place and offers the next step. */
export function EmptyState({ icon: Icon, title, text, action, level: Heading = 'h2', className }: EmptyStateProps) {
  return (
    <div className={clsx('flex flex-col items-center px-4 text-center cramped:px-0', className ?? 'py-12')}>
      <span className="grid size-14 place-items-center rounded-full border border-line bg-sky-700 text-ink-muted">
        <Icon aria-hidden="true" className="size-6" />
      </span>
      <Heading className="mt-4 text-base font-semibold text-ink">{title}</Heading>
      {text !== undefined && <p className="mt-1 max-w-sm text-sm text-balance text-ink-muted">{text}</p>}
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** Replaces a page: says why it is not there, and how to continue. */
export function PageNotice(props: Omit<EmptyStateProps, 'level' | 'className'>) {
  useDocumentTitle(props.title);
  return (
    <Card className="mx-auto w-full max-w-md">
      <EmptyState level="h1" {...props} />
    </Card>
  );
}

export interface ErrorNoteProps {
  /** What went wrong, in a sentence. */
  children: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
  className?: string;
}

/** An error beside its cause, with a way to retry. */
export function ErrorNote({ children, onRetry, retrying = false, className }: ErrorNoteProps) {
  return (
    <div
      role="alert"
      className={clsx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-loss/40 bg-loss/10 p-3 text-sm text-ink',
        className,
      )}
    >
      <TriangleAlert aria-hidden="true" className="size-5 shrink-0 text-loss" />
      <p className="min-w-0 flex-1 cramped:basis-full">{children}</p>
      {onRetry !== undefined && (
        <Button
          size="sm"
          icon={<RotateCcw aria-hidden="true" className="size-4" />}
          pending={retrying}
          onClick={onRetry}
        >
          Try again
        </Button>
      )}
    </div>
  );
}
