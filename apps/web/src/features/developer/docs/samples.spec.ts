import { describe, expect, it } from '@jest/globals';
import { authorizationUrl, refreshSamples, samplesOf, type SampledCall } from './samples';

const CONTEXT = {
  origin: 'https://nova.example',
  clientId: "it's",
  redirectUri: 'https://app.example/back?a=1&b=2',
  scope: 'openid nova',
  isPublic: false,
};
const call = (method: string, path: string, more: Partial<SampledCall> = {}): SampledCall => ({
  method,
  path,
  parameters: [],
  body: null,
  ...more,
});
const TOKEN = call('POST', '/oauth/token');
const codeOf = (given: SampledCall, language: string): string | undefined =>
  samplesOf(given, CONTEXT).find((sample) => sample.language === language)?.code;

it('writes the address to which members are sent', () => {
  expect(authorizationUrl(CONTEXT, 'st')).toBe(
    'https://nova.example/oauth/authorize?client_id=it%27s&redirect_uri=https%3A%2F%2Fapp.example%2Fback%3Fa%3D1%26b%3D2&response_type=code&scope=openid+nova&state=st',
  );
  expect(authorizationUrl(CONTEXT, 'st', 'ch')).toContain('&code_challenge_method=S256&code_challenge=ch');
});

describe('samples', () => {
  it('quote what an application chose for itself', () => {
    expect(codeOf(TOKEN, 'curl')).toContain(String.raw`--data-urlencode 'client_id=it'\''s'`);
    expect(codeOf(TOKEN, 'Node')).toContain(String.raw`client_id: 'it\'s',`);
  });

  it('keep the secret on the server: a page proves itself by PKCE', () => {
    expect(codeOf(TOKEN, 'Node')).toContain('client_secret: process.env.NOVA_CLIENT_SECRET,');
    expect(codeOf(TOKEN, 'Browser')).toContain('code_verifier');
    expect(codeOf(TOKEN, 'Browser')).not.toContain('secret');
    expect(codeOf(call('POST', '/oauth/introspect'), 'Browser')).toBeUndefined();
  });

  it('have no secret where the application has none', () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/authorize']) {
      const samples = samplesOf(call('POST', path), { ...CONTEXT, isPublic: true });
      expect(samples.map(({ language }) => language)).toEqual(
        path === '/oauth/introspect' ? ['curl', 'Browser', 'Node'] : ['curl', 'SDK', 'Browser', 'Node'],
      );
      for (const { code } of samples) expect(code).not.toMatch(/client_secret|CLIENT_SECRET/);
    }
  });

  it('renew with the refresh token at the same address', () => {
    const node = refreshSamples(TOKEN, CONTEXT).find(({ language }) => language === 'Node')?.code;
    expect(node).toContain("fetch('https://nova.example/oauth/token'");
    expect(node).toContain("grant_type: 'refresh_token',");
  });

  it('carry the token, the key and a body where the call takes them', () => {
    const spend = call('POST', '/api/tokens/transfer', {
      parameters: [{ name: 'Idempotency-Key', place: 'header', type: 'string', isRequired: false, description: '' }],
      body: {
        contentType: 'application/json',
        fields: ['recipientId', 'amount'].map((name) => ({ name, type: 'any', isRequired: true, description: '' })),
      },
    });
    expect(codeOf(spend, 'Node')).toBe(`const answer = await fetch('https://nova.example/api/tokens/transfer', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.NOVA_ACCESS_TOKEN}\`,
    'content-type': 'application/json',
    // One key a purchase: sending it again with the same key never charges twice.
    'idempotency-key': crypto.randomUUID(),
  },
  body: JSON.stringify({ recipientId: '01900000-0000-7000-8000-000000000000', amount: 1000 }),
});
if (!answer.ok) throw new Error(\`\${answer.status}: \${await answer.text()}\`);
console.log(await answer.text());`);
    expect(codeOf(spend, 'curl')).toBe(`curl --fail-with-body 'https://nova.example/api/tokens/transfer' \\
  --header "authorization: Bearer $NOVA_ACCESS_TOKEN" \\
  --header 'idempotency-key: order-1234' \\
  --header 'content-type: application/json' \\
  --data '{"recipientId":"01900000-0000-7000-8000-000000000000","amount":1000}'`);
  });

  it('prove the application itself where the call is its own, and not from a page', () => {
    const wallet = call('GET', '/api/tokens/wallet');
    expect(samplesOf(wallet, CONTEXT).map(({ language }) => language)).toEqual(['curl', 'SDK', 'Node']);
    expect(codeOf(wallet, 'curl')).toContain(String.raw`--user 'it'\''s:'"$NOVA_CLIENT_SECRET"`);
    expect(samplesOf(wallet, { ...CONTEXT, isPublic: true })).toEqual([]);
  });
});
