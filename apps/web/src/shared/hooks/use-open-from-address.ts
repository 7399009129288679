import { useEffect, useState } from 'react';
import { useAddressParameters } from './use-address-parameters';

/**
 * A dialog that a link can open, for example `/wallet?topup=1`. The parameter is removed from the address once it is
 * used, so that going back does not open the dialog again. One that is open when the page is reloaded opens again.
 */
export function useOpenFromAddress(parameter: string): [open: boolean, setOpen: (open: boolean) => void] {
  const kept = `nova.open.${parameter}`;
  const [open, setOpen] = useState(() => wasReloadedWith(kept));
  const [parameters, changeAddress] = useAddressParameters();
  const asked = parameters.get(parameter) === '1';
  if (asked && !open) setOpen(true);
  useEffect(() => {
    if (!asked) return;
    changeAddress((address) => address.delete(parameter));
  }, [asked, parameter, changeAddress]);
  useEffect(() => {
    if (!open) return undefined;
    sessionStorage.setItem(kept, '1');
    return () => sessionStorage.removeItem(kept);
  }, [open, kept]);
  return [open, setOpen];
}

/** Whether this page was reloaded while the dialog was open. Who came in another way left it. */
function wasReloadedWith(kept: string): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isReloaded = load?.type === 'reload' && new URL(load.name).pathname === location.pathname;
  const wasOpen = sessionStorage.getItem(kept) !== null;
  if (!isReloaded) sessionStorage.removeItem(kept);
  return isReloaded && wasOpen;
}
