import { createContext, useContext, useLayoutEffect } from 'react';

/** Holds the surrounding dialog open; returns the function that releases it. */
export type Hold = () => () => void;

export const HoldContext = createContext<Hold | null>(null);

/**
 * Inside a dialog: nothing closes it while a call is under way, so that its outcome is shown and the call is not made
 * twice.
 */
export function StayOpen({ while: isPending }: { while: boolean }) {
  const hold = useContext(HoldContext);
  // A layout effect runs before anything else can be pressed: the call is already on its way.
  useLayoutEffect(() => (isPending ? hold?.() : undefined), [isPending, hold]);
  return null;
}
