import { isPublicUrl } from './application-urls.js';

describe('public addresses', () => {
  it('are http or https', () => {
    expect(isPublicUrl('http://app.example.com/logo.png')).toBe(true);
    expect(isPublicUrl('javascript:alert(1)')).toBe(false);
    expect(isPublicUrl(`https://app.example.com/${'a'.repeat(2_000)}`)).toBe(false);
  });
});
