import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router-dom';

type Edit = (address: URLSearchParams) => void;

/**
 * The parameters of the address, and how to change them. A change is made to the address as it is: the router's own is that of
 * the last drawing, which may not have what was chosen just before.
 */
export function useAddressParameters(): [
  parameters: URLSearchParams,
  change: (edit: Edit, options?: NavigateOptions) => void,
] {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (edit: Edit, options: NavigateOptions = { replace: true }) => {
      const address = new URLSearchParams(window.location.search);
      edit(address);
      setParameters(address, options);
    },
    [setParameters],
  );
  return [parameters, change];
}
