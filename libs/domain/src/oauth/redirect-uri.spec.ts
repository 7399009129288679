import { isRedirectUri } from './redirect-uri.js';

describe('redirect URIs', () => {
  it.each([
    'https://app.example.com/callback',
    'https://app.example.com',
    'https://app.example.com:8443/cb?tenant=1',
    'http://localhost:4000/cb',
    'http://127.0.0.1/cb',
    'http://127.8.0.1/cb',
    'http://[::1]:8080/cb',
  ])('takes %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'http://app.example.com/callback',
    'http://localhost.example.com/cb',
    'http://127.0.0.1.example.com/cb',
    'https://app.example.com/cb#part',
    'https://app.example.com/cb#',
    'https://user:pass@app.example.com/cb',
    'https://app.example.com@evil.example/cb',
    'https:app.example.com/cb',
    'https:///cb',
    'https://app.example.com\\@evil.example/cb',
    'https:\\\\app.example.com/cb',
    'https://\u0430pp.example.com/cb',
    'https://\u00fc.example/cb',
    '/callback',
    'myapp://callback',
    'nonsense',
    'app.example.com/cb',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,hi',
    'ftp://app.example.com/cb',
    'https://app.example.com/c b',
    ' https://app.example.com/cb',
    'https://app.example.com/\u202ecb',
    'com.example.app:/cb',
    `https://app.example.com/${'a'.repeat(2_000)}`,
    '',
  ])('refuses %j', (uri) => expect(isRedirectUri(uri)).toBe(false));
});
