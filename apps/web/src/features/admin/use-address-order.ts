import { useAddressParameters } from '@/shared/hooks/use-address-parameters';

/** By time: `desc` is newest first and is left out of the address. */
export type Order = 'asc' | 'desc';

const ORDER = 'order';
const PAGE = 'page';

/** The order of a list, kept in the address; a new order starts at the first page. */
export function useAddressOrder(): [order: Order, setOrder: (order: Order) => void] {
  const [parameters, changeAddress] = useAddressParameters();
  const setOrder = (order: Order) =>
    changeAddress((address) => {
      address.delete(PAGE);
      if (order === 'desc') address.delete(ORDER);
      else address.set(ORDER, order);
    });
  return [parameters.get(ORDER) === 'asc' ? 'asc' : 'desc', setOrder];
}
