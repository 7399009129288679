import { describe, expect, it } from '@jest/globals';
import { profileSchema } from './profile-schema';

const edit = { displayName: 'Ada', bio: '', location: '', website: '' };

describe('profileSchema', () => {
  it('trims, and gives a website its scheme', () => {
    expect(
      profileSchema.parse({ displayName: ' Ada ', bio: ' x ', location: ' ', website: ' example.com/me ' }),
    ).toEqual({ displayName: 'Ada', bio: 'x', location: '', website: 'https://example.com/me' });
    expect(profileSchema.parse({ ...edit, website: 'http://example.com' }).website).toBe('http://example.com');
    expect(profileSchema.parse(edit)).toEqual(edit);
  });

  it.each([
    ['displayName', '  '],
    ['displayName', 'x'.repeat(51)],
    ['bio', 'x'.repeat(501)],
    ['location', 'x'.repeat(101)],
    ['website', 'javascript:alert(1)'],
    ['website', '//example.com'],
    ['website', `https://example.com/${'x'.repeat(200)}`],
    ['website', 'two words'],
  ])('refuses %s %j', (field, value) => {
    const { error } = profileSchema.safeParse({ ...edit, [field]: value });
    expect(error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  it('counts an emoji once', () => {
    expect(profileSchema.safeParse({ ...edit, bio: '🌌'.repeat(500) }).success).toBe(true);
  });
});
