import type pg from 'pg';
import type { IdentityChange, IdentityChanges } from './identity-changes.js';
import { Sessions } from './sessions.js';
import { tokenHash } from './tokens.js';

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
    sessions = new Sessions({ query } as unknown as pg.Pool, changes as IdentityChanges, {
      publicUrl: 'http://localhost:3000',
      adminIdleMinutes: 30,
    });
  });

  const answer = (isThere: boolean) => asked.shift()?.(isThere);

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
});
