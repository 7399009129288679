import { randomUUID } from 'node:crypto';
import { WatchProcess } from '../../apps/api/src/admin/watches/watch-process.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { grantNova, signInAdmin } from '../support/money.js';

interface Watch {
  readonly id: string;
  readonly account: string;
  readonly balance: number | null;
  readonly isBeyond: boolean;
  readonly crossings: readonly { readonly balance: number; readonly eventId: string }[];
}

describe('watched balances', () => {
  let api: TestApi;
  let second: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    // Both servers follow the watches.
    second = await startTestApi({ database: api.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
  });
  afterAll(async () => {
    await second?.close();
    await api?.close();
  });

  const list = async (): Promise<Watch[]> => (await admin.browser.get('/api/admin/watches')).body.watches;
  const set = (body: object) => admin.browser.post('/api/admin/watches', body);
  const remove = (id: string) => admin.browser.delete(`/api/admin/watches/${id}`);
  const deduct = (id: string, amount: number) => admin.browser.post(`/api/admin/users/${id}/deduct-nova`, { amount });

  async function watching(account: string, direction: 'above' | 'below', limit: number): Promise<() => Promise<Watch>> {
    const answer = await set({ account, direction, limit, reason: 'Just so' });
    expect(answer).toMatchObject({ status: 201, body: { max: 50 } });
    const { id } = answer.body.watches[0];
    return async () => {
      const found = (await list()).find((watch) => watch.id === id);
      if (!found) throw new Error('the watch is gone');
      return found;
    };
  }
  const crossed = (look: () => Promise<Watch>, balances: readonly number[]) =>
    eventually(
      look,
      ({ crossings }) => JSON.stringify(crossings.map(({ balance }) => balance)) === JSON.stringify(balances),
    );
  const recorded = async (id: string): Promise<number> => {
    const { rows } = await api.database.pool.query(
      'select count(*)::int as n from read.watch_crossings where watch_id = $1',
      [id],
    );
    return rows[0].n;
  };
  /** Until both have looked again at all that there is. */
  const settled = async () => {
    for (const { nova } of [api, second]) await nova.app.get(WatchProcess).follow();
  };

  it('are told of once for each crossing, however far beyond they go, and not sampled', async () => {
    const ada = await api.member({ displayName: 'Ada' });
    await grantNova(admin, ada.id, 60);
    const look = await watching(`user:${ada.id}:earned`, 'above', 100);
    expect(await eventually(look, ({ balance }) => balance === 60)).toMatchObject({
      account: `user:${ada.id}:earned`,
      member: 'Ada',
      direction: 'above',
      limit: 100,
      isBeyond: false,
      setBy: { id: admin.id },
      reason: 'Just so',
      crossings: [],
    });
    await grantNova(admin, ada.id, 40);
    await eventually(look, ({ balance, isBeyond }) => balance === 100 && !isBeyond);
    await grantNova(admin, ada.id, 0.01);
    await grantNova(admin, ada.id, 500);
    const { crossings, id } = await crossed(look, [100.01]);
    const event = (await admin.browser.get(`/api/admin/events/${crossings[0]?.eventId}`)).body;
    expect(event).toMatchObject({ type: 'NovaGranted', data: { amount: '1' } });
    expect((await admin.browser.get('/api/admin/watches')).body.beyond).toBe(1);
    await eventually(async () => /^nova_watches_beyond 1$/m.test(await (await fetch(`${api.url}/metrics`)).text()));
    // Faster than anybody looks.
    await deduct(ada.id, 500.01);
    for (let round = 1; round <= 4; round += 1) {
      await grantNova(admin, ada.id, round);
      await deduct(ada.id, round);
    }
    await crossed(look, [104, 103, 102, 101, 100.01]);
    await settled();
    expect([await recorded(id), (await look()).isBeyond]).toEqual([5, false]);
    const { entries } = (await admin.browser.get('/api/admin/audit?action=WatchSet')).body;
    expect(entries).toMatchObject([{ adminId: admin.id, reason: 'Just so', targetName: null }]);
    expect((await admin.browser.get('/api/admin/audit?action=WatchCrossed')).body.entries).toEqual([]);
  });

  it('are not told of again after a crash, nor when all is followed anew', async () => {
    const ben = await api.member();
    const look = await watching(`user:${ben.id}:earned`, 'above', 10);
    await eventually(look, ({ balance }) => balance === 0);
    await grantNova(admin, ben.id, 11);
    const { id } = await crossed(look, [11]);
    await api.database.pool.query('delete from watch_progress where watch_id = $1', [id]);
    await eventually(look, ({ balance }) => balance === 11);
    await settled();
    expect(await recorded(id)).toBe(1);
    await deduct(ben.id, 11);
    await grantNova(admin, ben.id, 12);
    await crossed(look, [12, 11]);
    await api.database.pool.query('delete from watch_progress');
    await Promise.all([settled(), settled()]);
    expect(await recorded(id)).toBe(2);
    expect((await remove(id)).status).toBe(200);
    expect((await remove(id)).status).toBe(404);
    await grantNova(admin, ben.id, 100);
    await settled();
    expect(await recorded(id)).toBe(2);
  });

  it('may be totals, and may fall', async () => {
    const { novaInCirculation } = (await admin.browser.get('/api/admin/stats')).body;
    const cleo = await api.member();
    const [members, circulation] = [
      await watching('total:members', 'below', novaInCirculation),
      await watching('total:circulation', 'above', novaInCirculation + 5),
    ];
    await eventually(members, ({ balance }) => balance === novaInCirculation);
    await grantNova(admin, cleo.id, 7);
    await crossed(circulation, [novaInCirculation + 7]);
    await deduct(cleo.id, 7);
    const last = await eventually(members, ({ balance }) => balance === novaInCirculation);
    expect([last.isBeyond, last.crossings]).toEqual([false, []]);
    const someone = await api.member();
    await grantNova(admin, someone.id, 1);
    await deduct(someone.id, 1);
    const treasury = await watching('treasury', 'below', 0);
    expect(await eventually(treasury, ({ balance }) => balance !== null)).toMatchObject({
      member: null,
      crossings: [],
    });
  });

  it.each([
    ['an account of nobody', { account: `user:${randomUUID()}:earned` }, 'UNKNOWN_ACCOUNT'],
    ['an application’s that never had Nova', { account: 'app:nothing:earned' }, 'UNKNOWN_ACCOUNT'],
    ['a chat that never was', { account: `chat:${randomUUID()}` }, 'UNKNOWN_ACCOUNT'],
    ['no account', { account: 'the treasury' }, 'UNKNOWN_ACCOUNT'],
    ['nothing', { account: '' }, 'UNKNOWN_ACCOUNT'],
    ['no Nova', { account: 'burned:KARMA' }, 'UNKNOWN_ACCOUNT'],
    ['a property of objects', { account: '__proto__' }, 'UNKNOWN_ACCOUNT'],
    ['a long name', { account: 'x'.repeat(101) }, undefined],
    ['a number', { account: 7 }, undefined],
    ['no direction', { direction: 'sideways' }, undefined],
    ['a limit that is huge', { limit: 1e15 }, 'INVALID_AMOUNT'],
    ['a limit with three decimals', { limit: 0.001 }, 'INVALID_AMOUNT'],
    ['a limit in words', { limit: 'ten' }, 'INVALID_AMOUNT'],
  ])('are refused: %s', async (_, wrong, code) => {
    const before = await list();
    const answer = await set({ account: 'treasury', direction: 'above', limit: 1, ...wrong });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/\.$/) } });
    if (code !== undefined) expect(answer.body.code).toBe(code);
    expect((await list()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('are fifty at most, also when two are set at once', async () => {
    const another = () => set({ account: 'treasury', direction: 'above', limit: 1e12 });
    for (let there = (await list()).length; there < 49; there += 1) expect((await another()).status).toBe(201);
    const answers = await Promise.all([another(), another(), another()]);
    const full = answers.filter(({ status }) => status !== 201);
    expect(full.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'TOO_MANY_WATCHES'],
      [409, 'TOO_MANY_WATCHES'],
    ]);
    expect(await list()).toHaveLength(50);
  });
});
