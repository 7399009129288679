import { describe, expect, it } from '@jest/globals';
import { movedPath, sectionOf, sectionPath } from './admin-sections';

const address = (query: string) => new URLSearchParams(query);

describe('sections of the Admin Panel in the address', () => {
  it('shows the overview where nothing else is meant', () => {
    expect(sectionOf(address(''))).toBe('overview');
    expect(sectionOf(address('section=nothing&page=2'))).toBe('overview');
    expect(sectionOf(address('days=7'))).toBe('overview');
  });

  it('shows the section that is named', () => {
    expect(sectionOf(address('section=audit&userId=1'))).toBe('audit');
  });

  it.each(['userId=1', 'type=gift_send', 'search=ada', 'startDate=2026-01-01', 'endDate=2026-01-31', 'page=3'])(
    'still leads from ?%s to the transactions',
    (query) => {
      expect(sectionOf(address(query))).toBe('transactions');
      expect(movedPath(address(query))).toBe(`/admin?section=transactions&${query}`);
    },
  );

  it('moves nobody who is where they belong', () => {
    expect(movedPath(address(''))).toBeNull();
    expect(movedPath(address('section=users&search=ada'))).toBeNull();
  });

  it('writes filters that hold anything', () => {
    expect(sectionPath('users', { search: 'a&b=<c>' })).toBe('/admin?section=users&search=a%26b%3D%3Cc%3E');
  });
});
