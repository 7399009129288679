import { ChevronRight, X } from 'lucide-react';
import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';
import { sayAmount } from '@/shared/api';
import { Button, NovaMark, Tooltip } from '@/shared/ui';
import { faceAfter, nameOfFace, type CardFace } from './card-faces';
import { NAVIGATE_NOVA } from './card-prices';

/** Whether the card was turned since it entered the document. */
export const TurnedContext = createContext(false);

export interface FaceFrameProps {
  face: CardFace;
  title: ReactNode;
  /** Something small beside the title. */
  aside?: ReactNode;
  /** Whether the step from here costs Nova. */
  isPaid: boolean;
  isTurning?: boolean;
  onNext: () => void;
  onClose: () => void;
  footer?: ReactNode;
  children: ReactNode;
}

/** The frame of every face of a back: a title, the step to the next face in a fixed place, and a free way out. */
export function FaceFrame(props: FaceFrameProps) {
  const { face, title, aside, isPaid, isTurning = false, onNext, onClose, footer, children } = props;
  const target = nameOfFace(faceAfter(face));
  const label = isPaid ? `Turn to ${target} for ${sayAmount(NAVIGATE_NOVA)}` : `Turn to ${target}`;
  return (
    <div
      role="presentation"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
      className="absolute inset-0 flex flex-col overflow-hidden rounded-lg border border-line-strong bg-sky-800 shadow-raised"
    >
      <header className="flex items-center gap-1 border-b border-line py-1 pr-1 pl-3">
        <FaceTitle key={face}>{title}</FaceTitle>
        {aside}
        <Tooltip label={label}>
          <Button variant="ghost" size="sm" aria-label={label} pending={isTurning} onClick={onNext} className="px-2!">
            {isPaid && (
              <span className="flex items-center gap-0.5 text-xs text-nova tabular-nums">
                <NovaMark className="size-2.5" />
                {NAVIGATE_NOVA}
              </span>
            )}
            <ChevronRight aria-hidden="true" className="size-4" />
          </Button>
        </Tooltip>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Turn back to the front"
          onClick={onClose}
          className="sm:size-8!"
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      </header>
      {children}
      {footer !== undefined && <footer className="flex gap-2 border-t border-line p-2">{footer}</footer>}
    </div>
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
    <section
      // What scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-label={label}
      aria-busy={isBusy || undefined}
      className="min-h-0 flex-1 overflow-y-auto px-3 py-2.5 focus-visible:-outline-offset-2"
    >
      {children}
    </section>
  );
}
