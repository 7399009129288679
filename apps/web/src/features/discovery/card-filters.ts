import type { MediaType } from './card-types';

/** The filters of the grid (rule discovery-7). */
export interface CardFilters {
  search: string;
  minRating: 'any' | '4' | '4.5';
  mediaType: 'all' | MediaType;
  onlineOnly: boolean;
}

export const NO_FILTERS: CardFilters = { search: '', minRating: 'any', mediaType: 'all', onlineOnly: false };

export const RATING_CHOICES = [
  { value: 'any', label: 'Any' },
  { value: '4', label: '4+' },
  { value: '4.5', label: '4.5+' },
] as const;

export const MEDIA_CHOICES = [
  { value: 'all', label: 'All' },
  { value: 'image', label: 'Photos' },
  { value: 'video', label: 'Videos' },
] as const;

const chosen = <T extends string>(choices: readonly { value: T }[], text: string | null, otherwise: T): T =>
  choices.find(({ value }) => value === text)?.value ?? otherwise;

/** Reads the filters from an address and ignores values it does not know. */
export const readFilters = (address: URLSearchParams): CardFilters => ({
  search: address.get('q') ?? '',
  minRating: chosen(RATING_CHOICES, address.get('rating'), NO_FILTERS.minRating),
  mediaType: chosen(MEDIA_CHOICES, address.get('type'), NO_FILTERS.mediaType),
  onlineOnly: address.get('online') === '1',
});

/** Writes these filters into an address and leaves the rest of it unchanged. */
export function writeFilters(address: URLSearchParams, filters: CardFilters): void {
  const put = (name: string, value: string, isSet: boolean) =>
    isSet ? address.set(name, value) : address.delete(name);
  put('q', filters.search, filters.search !== '');
  put('rating', filters.minRating, filters.minRating !== 'any');
  put('type', filters.mediaType, filters.mediaType !== 'all');
  put('online', '1', filters.onlineOnly);
}

/** The filters as API parameters (rule discovery-7). */
export const feedQuery = ({ search, minRating, mediaType, onlineOnly }: CardFilters) => ({
  ...(search.trim() !== '' && { search: search.trim() }),
  ...(minRating !== 'any' && { minRating: Number(minRating) }),
  ...(mediaType !== 'all' && { mediaType }),
  ...(onlineOnly && { onlineOnly }),
});

/** How many filters of the panel are on. The search does not count, because it stands elsewhere. */
export const filterCount = ({ minRating, mediaType, onlineOnly }: CardFilters): number =>
  [minRating !== 'any', mediaType !== 'all', onlineOnly].filter(Boolean).length;
