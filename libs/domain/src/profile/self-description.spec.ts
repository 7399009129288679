import { isName, isWebsite } from './self-description.js';

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

describe('isName', () => {
  it.each(['Ada', '👩‍🚀', 'می‌خواهم', '1', '\u200fעדה', 'e\u0301', '¿?'])('takes %j', (text) =>
    expect(isName(text)).toBe(true),
  );

  it.each([
    ['nothing', ''],
    ['blanks', ' \u00a0\u3000'],
    ['a zero width space', '\u200b'],
    ['Hangul fillers', '\u3164\u115f'],
    ['an empty braille cell', '\u2800'],
    ['a lone mark', '\u0301'],
    ['an override', 'Ada\u202egpj'],
    ['an isolate', '\u2067Ada'],
    ['a line break', 'Ada\nMinted'],
    ['a separator of lines', 'Ada\u2028Minted'],
    ['a tab', 'Ada\tB'],
  ])('refuses %s', (_, text) => expect(isName(text)).toBe(false));
});
