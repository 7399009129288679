import { describe, expect, it } from '@jest/globals';
import { destinationOf, readConsentRequest } from './consent-request';

const read = (query: string) => readConsentRequest(new URLSearchParams(query));
const APP = 'client_id=app&redirect_uri=https%3A%2F%2Fapp.example%2Fback';

describe('readConsentRequest', () => {
  it.each(['', 'client_id=app', 'redirect_uri=https://app.example/back', 'client_id=&redirect_uri='])(
    'takes %p for no request',
    (query) => expect(read(query)).toBeNull(),
  );

  it('asks for openid and profile unless told', () => {
    expect(read(APP)).toEqual({
      clientId: 'app',
      redirectUri: 'https://app.example/back',
      scope: 'openid profile',
      scopes: ['openid', 'profile'],
      state: null,
      signInAgain: false,
    });
    expect(read(`${APP}&scope=`)?.scopes).toEqual(['openid', 'profile']);
  });

  it('lists known scopes once, in their order, and openid always', () => {
    expect(read(`${APP}&scope=nova+email+nova+root+openid`)?.scopes).toEqual(['openid', 'email', 'nova']);
    expect(read(`${APP}&scope=karma`)?.scopes).toEqual(['openid', 'karma']);
    expect(read(`${APP}&scope=constructor`)?.scopes).toEqual(['openid']);
  });

  it('knows when the member must sign in anew', () => {
    expect(read(`${APP}&prompt=login`)?.signInAgain).toBe(true);
    expect(read(`${APP}&prompt=consent`)?.signInAgain).toBe(false);
  });

  it('keeps the state as it came', () => {
    expect(read(`${APP}&state=a%26b`)?.state).toBe('a&b');
  });
});

it('says where the browser goes', () => {
  expect(destinationOf('http://127.0.0.1:5000/back?x=1')).toBe('127.0.0.1:5000');
  expect(destinationOf('nonsense')).toBe('nonsense');
});
