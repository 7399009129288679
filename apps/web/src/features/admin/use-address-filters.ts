import { useEffect, useEffectEvent, useState } from 'react';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { SEARCH_DEBOUNCE_MS } from '@/shared/hooks/use-settled-value';

const PAGE = 'page';
const SEARCH = 'search';

/**
 * The text in the search field: it settles shortly after the last keystroke, and counts as in the address once the
 * router has rendered it.
 */
interface Draft {
  readonly text: string;
  readonly state: 'typed' | 'settled' | 'in address';
}

/** The filters as an API query: the address may hold anything, and the server refuses values it does not know. */
export const toQuery = <Q>(filters: { readonly [N in keyof Q]?: string }): Q => filters as Q;

export interface AddressFilters<N extends string> {
  /** An inactive filter is the empty string. */
  readonly filters: Readonly<Record<N, string>>;
  readonly page: number;
  /** The text in the search field. */
  readonly searchText: string;
  readonly isFiltered: boolean;
  readonly type: (text: string) => void;
  readonly set: (name: N, value: string) => void;
  readonly clear: (name: N) => void;
  readonly clearAll: () => void;
  readonly goTo: (page: number) => void;
}

/**
 * The filters and the page of a list. They are kept in the address bar, each under its own name and only while it is
 * active, so that a view can be bookmarked and shared. Any change of a filter goes to the first page.
 */
export function useAddressFilters<const N extends string>(names: readonly N[]): AddressFilters<N> {
  const [parameters, changeAddress] = useAddressParameters();
  const [draft, setDraft] = useState<Draft | null>(null);
  const filters = valuesOf(names, (name) => parameters.get(name) ?? '');
  const search = parameters.get(SEARCH) ?? '';
  const isInAddress = draft !== null && draft.text.trim() === search;
  if (isInAddress && draft.state === 'settled') setDraft({ ...draft, state: 'in address' });
  // When the address changes by going back, it wins over the typed text.
  const isTyped = draft !== null && (draft.state !== 'in address' || isInAddress);

  const change = (changed: Readonly<Partial<Record<string, string>>>) =>
    changeAddress((address) => setFilters(address, changed));
  const settle = useEffectEvent((text: string) => {
    setDraft({ text, state: 'settled' });
    change({ [SEARCH]: text.trim() });
  });
  useEffect(() => {
    if (draft?.state !== 'typed') return undefined;
    const timer = setTimeout(() => settle(draft.text), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return {
    filters,
    page: Math.max(1, Math.trunc(Number(parameters.get(PAGE))) || 1),
    searchText: isTyped ? draft.text : search,
    isFiltered: names.some((name) => filters[name] !== ''),
    type: (text) => setDraft({ text, state: 'typed' }),
    set: (name, value) => change({ [name]: value }),
    clear(name) {
      if (name === SEARCH) setDraft(null);
      change({ [name]: '' });
    },
    clearAll() {
      setDraft(null);
      change(valuesOf(names, () => ''));
    },
    goTo: (next) => changeAddress((address) => address.set(PAGE, String(next)), { replace: false }),
  };
}

const valuesOf = <N extends string>(names: readonly N[], valueOf: (name: N) => string): Record<N, string> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<N, string>;

function setFilters(address: URLSearchParams, changed: Readonly<Partial<Record<string, string>>>): void {
  address.delete(PAGE);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined || value === '') address.delete(name);
    else address.set(name, value);
  }
}
