import { describe, expect, it } from '@jest/globals';
import { contextOf, demoUrl, isFilled, exampleTokenRequest } from './demo-flow';

const DRAFT = { clientId: ' app ', redirectUri: 'https://app.example/back', scopes: 'openid profile nova' };
const ORIGIN = 'https://nova.example';

describe('demoUrl', () => {
  it('has the parameters of an authorization request and nothing else', () => {
    const url = new URL(demoUrl(DRAFT, ORIGIN));
    expect(`${url.origin}${url.pathname}`).toBe('https://nova.example/oauth/authorize');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'app',
      redirect_uri: 'https://app.example/back',
      response_type: 'code',
      scope: 'openid profile nova',
      state: 'demo_state_12345',
    });
  });
});

it.each([{ clientId: '  ' }, { redirectUri: '' }])('is not filled with %p', (missing) => {
  expect(isFilled(DRAFT)).toBe(true);
  expect(isFilled({ ...DRAFT, ...missing })).toBe(false);
});

describe('exampleTokenRequest', () => {
  const context = contextOf(DRAFT, ORIGIN, false);

  it('names a code of the environment until one is pasted', () => {
    expect(exampleTokenRequest(context, '', null)).toContain('"code=$NOVA_CODE"');
    expect(exampleTokenRequest(context, '', null)).toContain('"client_secret=$NOVA_CLIENT_SECRET"');
  });

  it('takes a pasted code as it is, whatever is in it', () => {
    expect(exampleTokenRequest(context, "a'$&b", null)).toContain(String.raw`'code=a'\''$&b'`);
  });

  it('proves a public client by its verifier', () => {
    const request = exampleTokenRequest(contextOf(DRAFT, ORIGIN, true), 'c', 'v');
    expect(request).toContain("'code_verifier=v'");
    expect(request).not.toContain('secret');
  });
});
