import { isWebsite } from './self-description.js';

describe('isWebsite', () => {
  it.each(['https://example.com', 'http://localhost:8080/a?b#c', 'HTTPS://пример.рф/путь', 'https://[::1]/'])(
    'takes %s',
    (text) => expect(isWebsite(text)).toBe(true),
  );

  it.each([
    'example.com',
    'javascript:alert(1)',
    'data:text/html,hi',
    'ftp://example.com',
    '//example.com',
    'https://',
    'https:///example.com',
    'https://good.example@evil.example',
    'https://a b.example',
    'https://example.com/\nx',
    'https://%zz/',
    '',
  ])('refuses %j', (text) => expect(isWebsite(text)).toBe(false));
});
