import { createContext, useContext, useLayoutEffect } from 'react';

/** Holds the surrounding dialog open; answers how to let it go. */
export type Hold = () => () => void;

export const HoldContext = createContext<Hold | null>(null);

/** Inside a dialog: nothing closes it while a call is under way, so that its outcome is heard and it is not made twice. */
export function StayOpen({ while: isPending }: { while: boolean }) {
  const hold = useContext(HoldContext);
  // Before anything else is pressed: the call is on its way by now.
  useLayoutEffect(() => (isPending ? hold?.() : undefined), [isPending, hold]);
  return null;
}
