import { isAppLink, isRedirectUri, isRegistered } from './redirect-uri.js';

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

describe('addresses that open a program', () => {
  it.each(['com.example.app:/oauth/callback', 'com.example.app://callback', 'org.example.my-app:/cb?tenant=1'])(
    'takes %s',
    (uri) => expect(isAppLink(uri)).toBe(true),
  );

  it.each([
    'myapp:/callback',
    'myapp://callback',
    'javascript:alert(1)',
    'javascript://com.example/%0aalert(1)',
    'data:text/html,hi',
    'com.example.app:callback',
    'com.example.app:',
    'com.example.app:/',
    'COM.example.app:/cb',
    'com..app:/cb',
    '.com:/cb',
    'com.:/cb',
    'com.example.app:/cb#part',
    'com.example.app:/c b',
    'com.example.app:\\cb',
    'com.example.app://user@host/cb',
    'com.example.app://user:pass@host/cb',
    'https://app.example.com/cb',
    ' com.example.app:/cb',
    `com.example.app:/${'a'.repeat(2_000)}`,
  ])('refuses %j', (uri) => expect(isAppLink(uri)).toBe(false));
});

describe('registered addresses', () => {
  const registered = [
    'https://app.example.com/cb',
    'http://localhost:4000/cb',
    'http://127.0.0.1:5000/cb?x=1',
    'http://127.0.0.1/plain',
    'http://[::1]/cb',
    'http://127.0.0.2:5000/cb',
    'com.example.app:/cb',
  ];
  const takes = (uri: string) => isRegistered(registered, uri);

  it.each([
    ...registered,
    'http://127.0.0.1:61234/cb?x=1',
    'http://127.0.0.1/cb?x=1',
    'http://127.0.0.1:65535/plain',
    'http://[::1]:1/cb',
  ])('take %s', (uri) => expect(takes(uri)).toBe(true));

  it.each([
    'https://app.example.com:8443/cb',
    'http://localhost:4001/cb',
    'http://127.0.0.2:5001/cb',
    'https://127.0.0.1:61234/plain',
    'http://127.0.0.1:61234/cb',
    'http://127.0.0.1:61234/plain/',
    'http://127.0.0.1:61234/plain?x=1',
    'http://127.0.0.1:61234/x/../plain',
    'http://127.0.0.1:0/plain',
    'http://127.0.0.1:080/plain',
    'http://127.0.0.1:65536/plain',
    'http://127.0.0.1:99999/plain',
    'http://127.0.0.1:/plain',
    'http://127.0.0.1.evil.com/plain',
    'http://127.0.0.1.evil.com:80/plain',
    'http://127.0.0.1:80@evil.com/plain',
    'http://127.0.0.1@evil.com/plain',
    'http://evil.com@127.0.0.1/plain',
    'http://127.0.0.1:80\\@evil.com/plain',
    'http://127.0.0.1:80/plain#x',
    'http://127.0.0.1:80evil.com/plain',
    'http://127.1:80/plain',
    'http://2130706433/plain',
    'http://0x7f.0.0.1/plain',
    'http://[::ffff:127.0.0.1]/plain',
    'http://[::ffff:127.0.0.1]/cb',
    'http://[::1]:80/plain',
    'http://[0:0:0:0:0:0:0:1]:80/cb',
    'HTTP://127.0.0.1:61234/plain',
    'com.example.app:/cb/',
    'com.example.app://cb',
    '',
  ])('refuse %j', (uri) => expect(takes(uri)).toBe(false));
});
