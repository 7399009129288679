import { X } from 'lucide-react';
import { Button } from '@/shared/ui';
import type { AddressFilters } from './use-address-filters';

export interface FilterChipsProps<N extends string> {
  state: AddressFilters<N>;
  /** The text of an active filter: "from 2026-01-31". */
  textOf: (name: N, value: string) => string;
}

/** The active filters, each with a button that removes it. */
export function FilterChips<N extends string>({ state, textOf }: FilterChipsProps<N>) {
  if (!state.isFiltered) return null;
  const names = (Object.keys(state.filters) as N[]).filter((name) => state.filters[name] !== '');
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-4 sm:px-6">
      <ul aria-label="Filters" className="contents">
        {names.map((name) => {
          const text = textOf(name, state.filters[name]);
          return (
            <li key={name} className="max-w-full">
              <button
                type="button"
                aria-label={`Remove filter ${text}`}
                onClick={() => state.clear(name)}
                className="inline-flex min-h-11 max-w-full items-center gap-2 rounded-full border border-nova/40 bg-nova/10 py-1 pr-2.5 pl-3.5 text-sm text-ink hover:border-nova sm:min-h-8"
              >
                <bdi className="truncate">{text}</bdi>
                <X aria-hidden="true" className="size-3.5 shrink-0 text-ink-muted" />
              </button>
            </li>
          );
        })}
      </ul>
      <Button size="sm" variant="ghost" className="print:hidden" onClick={state.clearAll}>
        Clear all
      </Button>
    </div>
  );
}
