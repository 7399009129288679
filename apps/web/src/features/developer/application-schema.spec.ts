import { describe, expect, it } from '@jest/globals';
import {
  applicationSchema,
  emptyDraft,
  isComplete,
  isRedirectUri,
  serverComplaints,
  toBody,
} from './application-schema';

describe('isRedirectUri', () => {
  it.each([
    'https://app.example/callback?x=1',
    'http://localhost:3000/callback',
    'http://127.0.0.1/cb',
    'http://[::1]:8080/',
  ])('takes %s', (uri) => expect(isRedirectUri(uri)).toBe(true));

  it.each([
    'http://app.example/callback',
    'https://app.example/callback#there',
    'https://app.example/callback#',
    '/callback',
    'javascript:alert(1)',
    'myapp://callback',
    'nonsense',
  ])('refuses %s', (uri) => expect(isRedirectUri(uri)).toBe(false));
});

it('is complete with a name and one redirect URI', () => {
  const draft = emptyDraft();
  expect(isComplete(draft)).toBe(false);
  expect(isComplete({ ...draft, name: 'Pocket' })).toBe(false);
  expect(isComplete({ name: 'Pocket', redirectUris: [{ uri: ' ' }, { uri: 'https://a.example' }] })).toBe(true);
  expect(isComplete({ name: '  ', redirectUris: [{ uri: 'https://a.example' }] })).toBe(false);
});

it('drops empty redirect URIs and keeps the order of scopes', () => {
  const draft = {
    ...emptyDraft(),
    name: 'Pocket',
    redirectUris: [{ uri: '' }, { uri: ' https://a.example ' }, { uri: '  ' }],
    scopes: ['nova', 'openid'],
  };
  expect(toBody(draft)).toMatchObject({ redirectUris: ['https://a.example'], scopes: ['openid', 'nova'] });
});

it('counts letters as people do', () => {
  const named = (name: string) => applicationSchema.safeParse({ ...emptyDraft(), name }).success;
  expect(named('💫'.repeat(100))).toBe(true);
  expect(named('x'.repeat(101))).toBe(false);
});

it('reads which fields the server complains about', () => {
  const body = {
    code: 'VALIDATION_FAILED',
    fields: { 'redirectUris.0': ['No.', 'Never.'], name: ['Too long.'], limit: ['?'], scopes: 'odd' },
  };
  expect(serverComplaints(body)).toEqual([
    { field: 'redirectUris', message: 'No.' },
    { field: 'name', message: 'Too long.' },
  ]);
  for (const odd of [null, 'text', {}, { fields: null }, { fields: 7 }]) expect(serverComplaints(odd)).toEqual([]);
});
