import { useSearchParams } from 'react-router-dom';

/** By time: `desc` is newest first, and is not written. */
export type Order = 'asc' | 'desc';

const ORDER = 'order';
const PAGE = 'page';

/** The order of a list, kept in the address; another order begins at its first page. */
export function useAddressOrder(): [order: Order, setOrder: (order: Order) => void] {
  const [parameters, setParameters] = useSearchParams();
  const setOrder = (order: Order) =>
    setParameters(
      (current) => {
        const next = new URLSearchParams(current);
        next.delete(PAGE);
        if (order === 'desc') next.delete(ORDER);
        else next.set(ORDER, order);
        return next;
      },
      { replace: true },
    );
  return [parameters.get(ORDER) === 'asc' ? 'asc' : 'desc', setOrder];
}
