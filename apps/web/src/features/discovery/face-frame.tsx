import { clsx } from 'clsx';
import { ChevronRight, X } from 'lucide-react';
import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import type { PaidPress } from '@/shared/api';
import { Button, NovaMark, PaidButton, Tooltip } from '@/shared/ui';
import { type CardFace, faceAfter, nameOfFace } from './card-faces';
import { NAVIGATE_NOVA } from './card-prices';

/** Whether the card was turned since it entered the document. */
export const TurnedContext = createContext(false);

export interface FaceFrameProps {
  face: CardFace;
  title: ReactNode;
  /** Something small beside the title. */
  aside?: ReactNode;
  /** The step to the next face. */
  step?: ReactNode;
  /** What stands above everything that scrolls. */
  lead?: ReactNode;
  onClose: () => void;
  footer?: ReactNode;
  children: ReactNode;
}

/** The frame of every face of a back: a free way out, and at the other end of the header the step to the next face. */
export function FaceFrame({ face, title, aside, step, lead, onClose, footer, children }: FaceFrameProps) {
  return (
    <div
      role="presentation"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
      className="absolute inset-0 flex flex-col overflow-hidden rounded-lg border border-line-strong bg-sky-800 shadow-raised"
    >
      <header className="flex items-center gap-1 border-b border-line p-1">
        <Button
          variant="ghost"
          size="icon"
          aria-label="Turn back to the front"
          onClick={onClose}
          className="sm:size-8!"
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
        <FaceTitle key={face}>{title}</FaceTitle>
        {aside}
        {step}
      </header>
      {lead !== undefined && <div className="flex gap-2 border-b border-line p-2">{lead}</div>}
      {children}
      {footer !== undefined && <footer className="flex items-center gap-2 border-t border-line p-2">{footer}</footer>}
    </div>
  );
}

/** The owner's step to the next face. */
export function FreeStep({ face, onNext }: { face: CardFace; onNext: () => void }) {
  const label = `Turn to ${nameOfFace(faceAfter(face))}`;
  return (
    <Tooltip label={label}>
      <Button variant="ghost" size="sm" aria-label={label} onClick={onNext} className="px-2!">
        <ChevronRight aria-hidden="true" className="size-4" />
      </Button>
    </Tooltip>
  );
}

/** What others pay for with a step from each face. */
const BOUGHT = new Map<CardFace, string>([
  ['details', 'See the last comments on the wall, and write one'],
  ['wall', 'See every comment, what it gave and when'],
  ['fullWall', 'Half of it goes to this member'],
]);

export interface PaidStepProps {
  face: CardFace;
  profileId: string;
  isTurning: boolean;
  onPay: (press: PaidPress) => void;
}

/** The step to the next face of another member's card, with what it buys and its price (rule discovery-12). */
export function PaidStep({ face, profileId, isTurning, onPay }: PaidStepProps) {
  const next = faceAfter(face);
  // The step to the front buys no sight of anything.
  const [leading, word] =
    next === 'front' ? ['', 'Turn to the front'] : ['Turn to the ', nameOfFace(next).replace('the ', '')];
  return (
    <PaidButton
      variant="ghost"
      size="sm"
      title={BOUGHT.get(face)}
      pending={isTurning}
      buys={`${face} ${profileId}`}
      onPay={onPay}
      className="gap-1! px-2! text-xs!"
    >
      <span>
        <span className="sr-only">{leading}</span>
        <span className="inline-block first-letter:uppercase">{word}</span>
        <span className="sr-only"> for </span>
      </span>
      <span className="flex items-center gap-0.5 text-nova tabular-nums">
        <NovaMark className="size-2.5" />
        <span>{NAVIGATE_NOVA}</span>
        <span className="sr-only"> Nova</span>
      </span>
      <ChevronRight aria-hidden="true" className="-mr-1 size-4" />
    </PaidButton>
  );
}

/**
 * After a turn, the title takes the focus, which was on the side that turned away. A card that appears already turned
 * leaves the focus alone.
 */
function FaceTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const wasTurned = useContext(TurnedContext);
  useEffect(() => {
    if (!wasTurned) return;
    heading.current?.focus({ preventScroll: true });
    // Scroll a half-hidden card fully into view.
    heading.current?.closest('[data-card-side]')?.scrollIntoView({ block: 'nearest' });
  }, [wasTurned]);
  return (
    <h2
      ref={heading}
      tabIndex={-1}
      dir="auto"
      className="min-w-0 flex-1 truncate text-left text-sm font-semibold text-ink outline-none"
    >
      {children}
    </h2>
  );
}

export interface FaceBodyProps {
  label: string;
  isBusy?: boolean;
  children: ReactNode;
}

/** The part of a face that scrolls. */
export function FaceBody({ label, isBusy = false, children }: FaceBodyProps) {
  return (
    <FadingScroll
      // What scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      aria-busy={isBusy || undefined}
      className="px-3 py-2.5 focus-visible:-outline-offset-2"
    >
      {children}
    </FadingScroll>
  );
}

/** Scrolls, and fades out at its end while there is more below. */
export function FadingScroll({ className, children, ...rest }: ComponentProps<'section'>) {
  const scroll = useRef<HTMLElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const [hasMore, setMore] = useState(false);
  useEffect(() => {
    if (end.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => setMore(entries.at(-1)?.isIntersecting === false), {
      root: scroll.current,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div className="relative flex min-h-0 flex-1 flex-col" data-more-below={hasMore || undefined}>
      <section {...rest} ref={scroll} className={clsx('min-h-0 flex-1 overflow-y-auto', className)}>
        {children}
        <span ref={end} aria-hidden="true" className="block h-px" />
      </section>
      <div
        aria-hidden="true"
        className={clsx(
          'pointer-events-none absolute inset-x-0 bottom-0 h-10 bg-linear-to-t from-sky-800 to-transparent transition-opacity',
          !hasMore && 'opacity-0',
        )}
      />
    </div>
  );
}
