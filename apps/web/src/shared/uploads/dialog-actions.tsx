import type { ReactNode } from 'react';

/** The actions of a form in a dialog, the primary one last. They stay visible even if the rest has to be scrolled. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-4 -mb-4 flex flex-col-reverse gap-2 border-t border-line bg-sky-800 p-4 sm:-mx-6 sm:-mb-6 sm:flex-row sm:justify-end sm:rounded-b-lg sm:px-6">
      {children}
    </div>
  );
}
