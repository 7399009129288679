import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { CardFilters } from './card-filters';
import type { ProfileCard } from './card-types';
import { takeCards } from './use-discovery';

export interface NewcomersOptions {
  filters: CardFilters;
  profiles: readonly ProfileCard[];
  hasMore: boolean;
  /** Who is online and passes the filters; undefined until it is known. */
  online: readonly string[] | undefined;
}

export interface Newcomers {
  count: number;
  show: () => void;
  isPending: boolean;
}

/**
 * Members who came online after the cards were loaded, and have none among them (rule discovery-10). With "Online Only"
 * their cards are added by themselves, at the end, so that no other card moves.
 */
export function useNewcomers({ filters, profiles, hasMore, online }: NewcomersOptions): Newcomers {
  const client = useQueryClient();
  const given = JSON.stringify(filters);
  const [known, setKnown] = useState<{ given: string; ids: ReadonlySet<string> } | null>(null);
  // Who was online at first may have a card on a later page.
  if (online !== undefined && known?.given !== given) {
    setKnown({ given, ids: new Set(filters.onlineOnly && !hasMore ? [] : online) });
  }
  const shown = new Set(profiles.map(({ id }) => id));
  const came = known?.given === given ? (online ?? []).filter((id) => !known.ids.has(id) && !shown.has(id)) : [];
  const take = useMutation({
    mutationFn: (place: 'first' | 'last') => takeCards(client, filters, came, place),
    // Asked for again with the next poll.
    retry: false,
  });
  const takeThem = useEffectEvent(() => take.mutate('last'));
  const due = filters.onlineOnly ? came.join() : '';
  useEffect(() => {
    if (due !== '') takeThem();
  }, [due]);
  return {
    count: filters.onlineOnly ? 0 : came.length,
    isPending: take.isPending,
    show: () => take.mutate('first', { onSuccess: () => window.scrollTo({ top: 0, behavior: 'smooth' }) }),
  };
}
