import { canonicalAddress } from './address.js';

describe('the one form of an address', () => {
  it.each([
    ['/api/auth/user', '/api/auth/user'],
    ['/%61pi/%61uth/user', '/api/auth/user'],
    ['/%41%5A%5F%7E%2d%2E%30%39%7a', '/AZ_~-.09z'],
    ['http://nova.example/api/x?y', '/api/x?y'],
    ['HTTPS://nova.example:3000/%61pi', '/api'],
    ['http://nova.example?y', '/?y'],
    ['http://nova.example', '/'],
    ['*', '*'],
    // These mean something else than the character, or nothing at all.
    ['/a%2Fb%2fc%25%00%40%5B%60%7B%7F%20%C3%A9%zz', '/a%2Fb%2fc%25%00%40%5B%60%7B%7F%20%C3%A9%zz'],
    ['/x?return=%61%2Fpi', '/x?return=%61%2Fpi'],
    ['/%2561pi', '/%2561pi'],
  ])('%s is %s', (given, canonical) => {
    expect(canonicalAddress(given)).toBe(canonical);
    expect(canonicalAddress(canonical)).toBe(canonical);
  });
});
