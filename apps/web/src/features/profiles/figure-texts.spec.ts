import { describe, expect, it } from '@jest/globals';
import { ratingText, responseText } from './figure-texts';

describe('what the figures read', () => {
  it('shows a default rating with one decimal, one of one’s own with two', () => {
    expect(ratingText({ averageRating: 5, ratingCount: 0 })).toBe('5.0');
    expect(ratingText({ averageRating: 9.5, ratingCount: 3 })).toBe('9.50');
    expect(ratingText({ averageRating: 9.99, ratingCount: 0 })).toBe('9.99');
    expect(ratingText({ averageRating: 5, ratingCount: 3 })).toBe('5.00');
  });

  it.each([
    [0, 'under 1 min'],
    [0.4, 'under 1 min'],
    [1, '1 min'],
    [2, '2 min'],
    [59.6, '1 h'],
    [90, '1 h 30 min'],
  ])('says %d minutes as %j', (minutes, text) => expect(responseText(minutes)).toBe(text));
});
