import { expect, test } from '@jest/globals';
import { feedQuery, filterCount, NO_FILTERS, readFilters, writeFilters, type CardFilters } from './card-filters';

const ALL_SET: CardFilters = { search: 'ada & co', minRating: '4.5', mediaType: 'video', onlineOnly: true };

test('filters come back from the address as they were put there, beside what else it says', () => {
  const address = new URLSearchParams('tab=discover');
  writeFilters(address, ALL_SET);
  expect(readFilters(new URLSearchParams(address.toString()))).toEqual(ALL_SET);
  expect(address.get('tab')).toBe('discover');
  writeFilters(address, NO_FILTERS);
  expect(address.toString()).toBe('tab=discover');
});

test('an address with choices that do not exist means none', () => {
  expect(readFilters(new URLSearchParams('rating=99&type=script&online=yes'))).toEqual(NO_FILTERS);
});

test('asks the API for what is set, and for nothing else', () => {
  expect(feedQuery(NO_FILTERS)).toEqual({});
  expect(feedQuery(ALL_SET)).toEqual({ search: 'ada & co', minRating: 4.5, mediaType: 'video', onlineOnly: true });
  expect(feedQuery({ ...NO_FILTERS, search: '   ' })).toEqual({});
});

test('counts what the panel hides', () => {
  expect([filterCount(NO_FILTERS), filterCount({ ...NO_FILTERS, search: 'a' }), filterCount(ALL_SET)]).toEqual([
    0, 0, 3,
  ]);
});
