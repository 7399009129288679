import { expect, it } from '@jest/globals';
import { applicationSchema, emptyDraft, isComplete, serverComplaints, toBody } from './application-schema';

it.each([
  ['https://app.example/callback', true],
  ['http://127.8.0.1/cb', true],
  ['', true],
  ['http://app.example/callback', false],
  ['https://app.example/callback#there', false],
  ['https:app.example/cb', false],
  ['https://u:p@a.example/', false],
  ['https://\u00fc.example/cb', false],
])('takes a redirect URI as the server does: %s, %s', (uri, isTaken) => {
  const draft = { ...emptyDraft(), name: 'Pocket', redirectUris: [{ uri }] };
  expect(applicationSchema.safeParse(draft).success).toBe(isTaken);
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
