import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Provider } from 'oidc-provider';
import type { Pool } from 'pg';
import { PayloadStore } from './payload-store.js';
import { signingKeys } from './signing-keys.js';

const DAY = 24 * 60 * 60 * 1000;
const START = 220 * 90 * DAY;

/** Nothing is stored here. */
const nowhere = {} as Pool;

describe('signing keys', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-keys-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const moduli = async (now: number) => (await signingKeys(folder, now)).map(({ n }) => n);

  it('makes one that only its owner can read, and finds it again', async () => {
    const first = await signingKeys(folder, START);
    expect(first).toHaveLength(1);
    expect(first[0]).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256', d: expect.any(String) });
    const { asymmetricKeyDetails } = createPublicKey({ key: first[0] ?? {}, format: 'jwk' });
    expect(asymmetricKeyDetails).toMatchObject({ modulusLength: 3072 });
    expect(await signingKeys(folder, START + DAY)).toEqual(first);
    const files = readdirSync(folder);
    expect(files).toHaveLength(1);
    expect(statSync(path.join(folder, files[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  it('publishes the next one before it signs, and the last one while its tokens may be looked at', async () => {
    const [first] = await moduli(START);
    const early = await moduli(START + 90 * DAY);
    expect(early).toHaveLength(2);
    expect(early[0]).toBe(first);
    const next = early[1];
    // A server that started before the next key was made knows the signing key for the rest of the quarter.
    expect(await moduli(START + 179 * DAY)).toEqual([first, next]);
    const later = await moduli(START + 180 * DAY);
    expect(later).not.toContain(first);
    expect(later[0]).toBe(next);
  });

  it('signs at once with a first key, however long the server was away', async () => {
    await moduli(START);
    expect(await moduli(START + 1_000 * DAY)).toHaveLength(1);
  });

  it('signs with the first, and publishes both', async () => {
    await signingKeys(folder, START);
    const keys = await signingKeys(folder, START + 90 * DAY);
    for (const order of [keys, keys.toReversed()]) {
      const client = { client_id: 'app', client_secret: 'a secret', redirect_uris: ['https://app.example.com/cb'] };
      const provider = new Provider('https://nova.example', {
        jwks: { keys: order },
        clients: [client],
        adapter: (model) => new PayloadStore(nowhere, model),
        features: { devInteractions: { enabled: false } },
        ttl: { IdToken: 60 },
      });
      const found = await provider.Client.find('app');
      const token = new provider.IdToken({ sub: 'ada' }, { client: found });
      const [header = '', payload = '', signature = ''] = (await token.issue({ use: 'idtoken' })).split('.');
      const isSignedBy = (key: JsonWebKey | undefined) => {
        const publicKey = createPublicKey({ key: key ?? {}, format: 'jwk' });
        return verify('sha256', Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'));
      };
      expect(order.map(isSignedBy)).toEqual([true, false]);
    }
  });

  it('agrees with a server that starts at the same moment', async () => {
    const [one, other] = await Promise.all([signingKeys(folder, START), signingKeys(folder, START)]);
    expect(one).toEqual(other);
  });
});
