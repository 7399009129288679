import { readSettings } from '../config.js';
import { securityHeaders } from './security-headers.js';

const sent = async (environment: Record<string, string>): Promise<string | undefined> => {
  const secrets = {
    session: 'x',
    sandboxApiKey: 'x',
    sandboxWebhookSecret: 'x',
    push: Buffer.alloc(32, 1),
    webhooks: Buffer.alloc(32, 1),
  };
  return (await securityHeaders({ ...readSettings(environment), secrets }))['strict-transport-security'];
};

describe('the header that keeps browsers to https', () => {
  it('speaks for a year, of other hosts only where the operator says so, and never on http', async () => {
    const https = { PUBLIC_URL: 'https://nova.example.com' };
    expect(await sent(https)).toBe('max-age=31536000');
    expect(await sent({ ...https, HSTS_SUBDOMAINS: 'true' })).toBe('max-age=31536000; includeSubDomains');
    expect(await sent({ HSTS_SUBDOMAINS: 'true' })).toBeUndefined();
  });
});
