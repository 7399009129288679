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
      carried: {},
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

  it('keeps what the request needs to start again as it came', () => {
    const rest = {
      scope: 'nova made-up',
      state: 'a&b',
      nonce: '',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      response_mode: 'form_post',
      max_age: '0',
      id_token_hint: 'a.b.c',
      login_hint: 'ada@example.com',
    };
    expect(read(`${APP}&${new URLSearchParams(rest)}&response_type=code&approved=true`)?.carried).toEqual(rest);
  });
});

it('says where the browser goes', () => {
  expect(destinationOf('http://127.0.0.1:5000/back?x=1')).toBe('127.0.0.1:5000');
  expect(destinationOf('com.example.app://evil.example/back')).toBe('com.example.app');
  expect(destinationOf('com.example.app:/back')).toBe('com.example.app');
  expect(destinationOf('nonsense')).toBe('nonsense');
});
