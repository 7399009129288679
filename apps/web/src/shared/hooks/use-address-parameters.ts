import { useCallback } from 'react';
import { useSearchParams, type NavigateOptions } from 'react-router-dom';

type Edit = (address: URLSearchParams) => void;

/**
 * The parameters of the address, and a function that changes them. A change applies to the current address: the
 * router's own copy is from the last render and may lack a choice made just before.
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
