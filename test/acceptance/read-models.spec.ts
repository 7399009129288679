import { readModels } from '../../libs/projections/src/index.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

interface Listed {
  readonly name: string;
  readonly lagEvents: number;
  readonly isOfOtherVersion: boolean;
  readonly lastRebuild: { readonly phase: string; readonly outcome: string; readonly eventsDone: number } | null;
}

describe('rebuilding read models while members use them', () => {
  let api: TestApi;
  let admin: TestMember;
  let member: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    member = await api.member();
    await grantNova(admin, member.id, 100_000);
  });
  afterAll(() => api?.close());

  const list = async (): Promise<Listed[]> => (await admin.browser.get('/api/admin/read-models')).body.models;

  it('lists every one, live', async () => {
    const models = await list();
    expect(models.map(({ name }) => name)).toEqual(readModels.map(({ name }) => name).toSorted());
    expect(models.every(({ isOfOtherVersion }) => !isOfOtherVersion)).toBe(true);
  });

  it('rebuilds what an admin asks for, while gifts are sent and statements are read', async () => {
    const load = { goesOn: true, gifts: 0 };
    const giving = (async () => {
      while (load.goesOn) {
        const gift = { recipientId: admin.id, amount: 1_000 };
        const sent = await member.browser.post('/api/gifts/send', gift);
        const read = await member.browser.get('/api/nova/transactions');
        if (sent.status !== 201 || read.status !== 200) throw new Error(`${sent.status} ${read.status}`);
        load.gifts += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        if (load.gifts === 80) break;
      }
    })();
    giving.catch(() => undefined);
    const names = ['balances', 'statements', 'sent_gifts', 'chats'];
    for (const name of names) {
      expect((await admin.browser.post(`/api/admin/read-models/${name}/rebuild`)).status).toBe(202);
    }
    const models = await eventually(
      list,
      (seen) => seen.filter(({ lastRebuild }) => lastRebuild?.phase === 'done').length === names.length,
    );
    load.goesOn = false;
    await giving;
    const { entries } = (await admin.browser.get('/api/admin/audit?action=ReadModelRebuildOrdered')).body;
    expect(entries).toMatchObject(
      names.toReversed().map((targetId) => ({ adminId: admin.id, targetId, targetName: null, reason: null })),
    );
    for (const { name, lastRebuild } of models) {
      if (names.includes(name)) expect(lastRebuild?.outcome).toBe('It was rebuilt and swapped in.');
      else expect(lastRebuild).toBeNull();
    }
    expect(await novaBalance(member)).toBe(100_000 - 1_000 * load.gifts);
  });

  it('says what differs, and keeps it', async () => {
    await eventually(list, (seen) => seen.every(({ lagEvents }) => lagEvents === 0));
    await api.database.pool.query(`update read.member_balance set earned = earned + 700 where user_id = $1`, [
      admin.id,
    ]);
    await admin.browser.post('/api/admin/read-models/balances/rebuild');
    const models = await eventually(list, (seen) => seen.some(({ lastRebuild }) => lastRebuild?.phase === 'differs'));
    const { lastRebuild } = models.find(({ name }) => name === 'balances')!;
    expect(lastRebuild?.outcome).toMatch(
      /member_balance has \d+ rows in both, with other contents\. Nothing was changed\.$/,
    );
    expect((await api.browser().get('/health/ready')).status).toBe(200);
  });

  it('go on without one that fails, which is told and takes nothing from the others', async () => {
    const { pool } = api.database;
    await pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'No.'; end $$;
      create trigger refuse before insert or update on read.daily_totals execute function refuse()`);
    const another = await api.member();
    await grantNova(admin, another.id, 500);
    const health = async () =>
      (await api.browser().get('/health/ready')) as { status: number; body: { status: string } };
    const unwell = await eventually(health, ({ body }) => body.status !== 'ready');
    expect(unwell).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        checks: {
          projections: { ok: false, bearable: true, detail: expect.stringMatching(/^daily is failing: [^;]*$/) },
        },
      },
    });
    expect(await novaBalance(another)).toBe(500);
    await pool.query('drop trigger refuse on read.daily_totals');
    await eventually(health, ({ body }) => body.status === 'ready');
  });

  it('knows no others', async () => {
    for (const name of ['nobody', 'x'.repeat(150), '%00', "a'b"]) {
      const answer = await admin.browser.post(`/api/admin/read-models/${name}/rebuild`);
      expect([name, answer.status, answer.body.code]).toEqual([name, 404, 'NOT_FOUND']);
    }
  });
});
