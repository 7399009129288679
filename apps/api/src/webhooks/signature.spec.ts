import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { secretText, signedHeaders } from './signature.js';

describe('the signature of a delivery', () => {
  const now = (): number => Math.floor(Date.now() / 1_000);
  const [secret, before] = [randomBytes(32), randomBytes(32)];
  const body = '{"type":"tokens.spent","text":"ü"}';
  const headers = signedHeaders({ id: 'one', timestamp: now(), body, secrets: [secret, before] });

  it('is what the library of the specification verifies, with either secret', () => {
    for (const valid of [secret, before]) {
      expect(new Webhook(secretText(valid)).verify(body, headers)).toEqual(JSON.parse(body));
    }
  });

  it.each([
    ['another body', body.replace('spent', 'sp3nt'), headers],
    ['another id', body, { ...headers, 'webhook-id': 'two' }],
    ['another time', body, { ...headers, 'webhook-timestamp': String(now() + 1) }],
    ['an old one', body, signedHeaders({ id: 'one', timestamp: now() - 600, body, secrets: [secret] })],
  ])('is refused for %s', (_, text, given) => {
    expect(() => new Webhook(secretText(secret)).verify(text, given)).toThrow();
  });

  it('is refused with another secret', () => {
    expect(() => new Webhook(secretText(randomBytes(32))).verify(body, headers)).toThrow();
  });
});
