import { expect, test } from '@jest/globals';
import { distinctProfiles } from './distinct-profiles';

test('shows a member once, where they came first', () => {
  const pages = [
    { profiles: [{ id: 'ada' }, { id: 'ben' }] },
    { profiles: [{ id: 'ben' }, { id: 'chi' }, { id: 'ada' }] },
  ];
  expect(distinctProfiles(pages).map(({ id }) => id)).toEqual(['ada', 'ben', 'chi']);
});
