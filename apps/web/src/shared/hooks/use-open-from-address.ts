import { useEffect, useState } from 'react';
import { useAddressParameters } from './use-address-parameters';

/**
 * A dialog that a link can open, for example `/wallet?topup=1`. The parameter is removed from the address once it is
 * used, so that going back or reloading does not open the dialog again.
 */
export function useOpenFromAddress(parameter: string): [open: boolean, setOpen: (open: boolean) => void] {
  const [open, setOpen] = useState(false);
  const [parameters, changeAddress] = useAddressParameters();
  const asked = parameters.get(parameter) === '1';
  if (asked && !open) setOpen(true);
  useEffect(() => {
    if (!asked) return;
    changeAddress((address) => address.delete(parameter));
  }, [asked, parameter, changeAddress]);
  return [open, setOpen];
}
