import type pg from 'pg';
import type { Config } from '../platform/config.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.js';
import type { IdentityChange, IdentityChanges } from './identity-changes.js';
import { Sessions } from './sessions.js';
import { newToken, tokenHash } from './random-token.js';

const TOKEN = 'token';
const END: IdentityChange = { kind: 'session', tokenHash: tokenHash(TOKEN).toString('base64') };

describe('sessions that are remembered', () => {
  let sessions: Sessions;
  /** Questions under way, the oldest first; each is answered by whether there is such a session. */
  let asked: ((isThere: boolean) => void)[];
  let change: (change: IdentityChange) => void;

  beforeEach(() => {
    asked = [];
    const row = {
      id: 'session',
      account_id: 'ada',
      device_id: 'device',
      created_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
      is_admin: false,
    };
    const query = () => new Promise((resolve) => asked.push((isThere) => resolve({ rows: isThere ? [row] : [] })));
    const changes: Partial<IdentityChanges> = { onChange: (listener) => void (change = listener) };
    const config = { publicUrl: 'http://localhost:3000', adminIdleMinutes: 30, rateLimitFactor: 1 } as Config;
    const pool = { query } as unknown as pg.Pool;
    sessions = new Sessions(pool, changes as IdentityChanges, config, new RateLimits(config, pool));
  });

  const answer = (isThere: boolean) => asked.shift()?.(isThere);
  const ofBrowser = (ip: string, cookie = newToken()) => sessions.ofBrowser(() => cookie, ip);
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are looked up once', async () => {
    const both = [sessions.find(TOKEN), sessions.find(TOKEN)];
    answer(true);
    for (const found of [...both, sessions.find(TOKEN)]) expect(await found).toMatchObject({ id: 'ada' });
    expect(asked).toEqual([]);
  });

  it('are not remembered when they end while they are looked up', async () => {
    const before = sessions.find(TOKEN);
    change(END);
    answer(true);
    await before;
    const after = sessions.find(TOKEN);
    answer(false);
    expect(await after).toBeUndefined();
  });

  it('are looked up anew for who comes after the end of one, whatever is still under way', async () => {
    const before = sessions.find(TOKEN);
    change(END);
    const after = sessions.find(TOKEN);
    answer(true);
    answer(false);
    expect([(await before)?.id, await after]).toEqual(['ada', undefined]);
  });

  it.each<IdentityChange>([
    END,
    { kind: 'account', accountId: 'ada' },
    { kind: 'device', deviceId: 'device' },
    { kind: 'all' },
  ])('are forgotten by a change of kind $kind', async (told) => {
    const before = sessions.find(TOKEN);
    answer(true);
    await before;
    change(told);
    const after = sessions.find(TOKEN);
    answer(false);
    expect(await after).toBeUndefined();
  });

  it('are looked for beside few others of the same network, and beside any of the next', async () => {
    const madeUp = Array.from({ length: 30 }, () => ofBrowser('203.0.113.1'));
    await settled();
    expect(asked).toHaveLength(3);
    const other = ofBrowser('192.0.2.1');
    await settled();
    expect(asked).toHaveLength(4);
    for (; asked.length > 0; await settled()) answer(false);
    expect(await Promise.all([...madeUp, other])).toEqual(Array(31).fill(undefined));
  });

  it('wait for nobody where they are remembered, or where there is none to look for', async () => {
    const cookie = newToken();
    const seen = ofBrowser('192.0.2.1', cookie);
    await settled();
    answer(true);
    expect((await seen)?.member.id).toBe('ada');
    const madeUp = Array.from({ length: 30 }, () => ofBrowser('203.0.113.1'));
    await settled();
    expect((await ofBrowser('203.0.113.1', cookie))?.member.id).toBe('ada');
    expect(await ofBrowser('203.0.113.1', 'no token')).toBeUndefined();
    for (; asked.length > 0; await settled()) answer(false);
    await Promise.all(madeUp);
  });
});
