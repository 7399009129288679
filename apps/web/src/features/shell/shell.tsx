import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useMainTab } from '@/features/main/main-tabs';
import type { CurrentUser } from '@/shared/api';
import { NovaMark } from '@/shared/ui';
import { AccountMenu } from './account-menu';
import { Navigation } from './navigation';
import { NightSky } from './night-sky';

/** The frame of every signed-in page: top bar, tabs, night sky, and the page in the middle. */
export function Shell({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useFocusOnNewPage(main);
  return (
    <>
      <NightSky />
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-sm bg-nova px-4 py-2 text-sm font-semibold text-on-nova focus:translate-y-0"
      >
        Skip to content
      </a>
      <header className="z-20 border-b border-line bg-sky-950/90 backdrop-blur-sm tall:sticky tall:top-0 print:hidden">
        <div className="mx-auto flex h-16 max-w-[1200px] items-center justify-between gap-6 px-4 cramped:gap-2 sm:gap-3 sm:px-6 lg:gap-6">
          <Link
            to="/"
            className="flex min-h-11 items-center gap-2 rounded-sm font-display text-lg font-semibold tracking-tight"
          >
            <NovaMark className="size-5" /> <span className="cramped:sr-only sm:max-md:sr-only">Nova</span>
          </Link>
          <div className="flex-1">
            <Navigation place="top" />
          </div>
          <AccountMenu user={user} />
        </div>
      </header>
      <main
        id="content"
        ref={main}
        tabIndex={-1}
        className="mx-auto w-full max-w-[1200px] px-4 pt-6 pb-28 sm:px-6 sm:pt-8 sm:pb-16 print:p-0"
      >
        {children}
      </main>
      <Navigation place="bottom" />
    </>
  );
}

/** A new page or main tab starts at its top, for the eye and for the keyboard. */
function useFocusOnNewPage(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const page = `${pathname} ${useMainTab()}`;
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [page, main]);
}
