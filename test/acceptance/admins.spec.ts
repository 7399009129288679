import { Sessions } from '../../apps/api/src/identity/sessions.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { addPasskey, proveAgain, SoftwareAuthenticator } from '../support/authenticator.js';
import { eventually } from '../support/eventually.js';
import { signInAdmin } from '../support/money.js';

const stats = async ({ browser }: TestMember) => (await browser.get('/api/admin/stats')).status;
const change = (by: TestMember, what: 'make' | 'unmake', whom: { id: string }, body: object = {}) =>
  by.browser.post(`/api/admin/users/${whom.id}/${what}-admin`, body);

describe('admins', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const listed = async () => (await admin.browser.get('/api/admin/admins')).body.admins;
  const audited = async (action: string) =>
    (await admin.browser.get(`/api/admin/audit?action=${action}`)).body.entries as { targetId: string }[];

  it('make a member an admin and take it back, each an event with who, whom and why', async () => {
    const ada = await api.member({ displayName: 'Ada' });
    expect(await stats(ada)).toBe(403);
    expect(await listed()).toMatchObject([{ id: admin.id, since: null, madeBy: null }]);
    expect(await change(admin, 'make', ada, { reason: 'Second pair of eyes' })).toMatchObject({
      status: 201,
      body: { message: 'Ada is an admin now.' },
    });
    expect(await stats(ada)).toBe(200);
    expect(await audited('AdminMade')).toMatchObject([
      { adminId: admin.id, targetId: ada.id, targetName: 'Ada', reason: 'Second pair of eyes' },
    ]);
    expect(await listed()).toMatchObject([
      { id: admin.id },
      { id: ada.id, displayName: 'Ada', since: expect.any(String), madeBy: 'Rhea' },
    ]);
    expect(await change(ada, 'unmake', ada)).toMatchObject({
      status: 201,
      body: { message: 'Ada is no longer an admin.' },
    });
    expect(await stats(ada)).toBe(403);
    expect((await ada.browser.get('/api/auth/user')).body.user).toMatchObject({ id: ada.id, isAdmin: false });
    expect(await audited('AdminUnmade')).toMatchObject([{ adminId: ada.id, targetId: ada.id, reason: null }]);
    expect(await change(admin, 'make', ada)).toMatchObject({ status: 201 });
    expect(await change(admin, 'unmake', ada)).toMatchObject({ status: 201 });
  });

  it('are refused what makes no sense, and nothing is changed or written down', async () => {
    const ada = await api.member();
    const deleted = await api.member();
    expect((await admin.browser.delete(`/api/admin/users/${deleted.id}`)).status).toBe(200);
    const blocked = await api.member();
    await admin.browser.post('/api/admin/block-email', { email: blocked.email.toUpperCase() });
    const before = [await audited('AdminMade'), await audited('AdminUnmade')];
    for (const [what, whom, status, code] of [
      ['make', admin, 409, 'ALREADY_ADMIN'],
      ['make', blocked, 409, 'EMAIL_BLOCKED'],
      ['make', deleted, 404, 'NOT_FOUND'],
      ['make', { id: 'nobody' }, 404, 'NOT_FOUND'],
      ['unmake', ada, 409, 'NOT_ADMIN'],
      ['unmake', deleted, 404, 'NOT_FOUND'],
      ['unmake', admin, 409, 'LAST_ADMIN'],
    ] as const) {
      expect(await change(admin, what, whom, { reason: 'x' })).toMatchObject({
        status,
        body: { code, message: expect.stringMatching(/\.$/) },
      });
    }
    expect(await change(ada, 'make', ada)).toMatchObject({ status: 403, body: { code: 'ADMIN_ONLY' } });
    expect(await change(admin, 'make', ada, { reason: 5 })).toMatchObject({ status: 400 });
    expect([await audited('AdminMade'), await audited('AdminUnmade')]).toEqual(before);
    const reasons = await api.database.pool.query(`select from admin_reason where reason = 'x'`);
    expect(reasons.rowCount).toBe(0);
    expect(await stats(admin)).toBe(200);
  });

  it('never end up with none, however many unmake each other at once', async () => {
    const others = await Promise.all([1, 2, 3].map(() => api.member()));
    for (const other of others) expect((await change(admin, 'make', other)).status).toBe(201);
    const all = [admin, ...others];
    const answers = await Promise.all(all.map((one) => change(one, 'unmake', one)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409]);
    const last = all[answers.findIndex(({ status }) => status === 409)];
    if (!last) throw new Error('nobody was refused');
    expect(await stats(last)).toBe(200);
    if (last !== admin) {
      expect((await change(last, 'make', admin)).status).toBe(201);
      expect((await change(last, 'unmake', last)).status).toBe(201);
    }
  });

  it('lose their rights at once on every server', async () => {
    const second = await startTestApi({ database: api.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
    try {
      const ada = await api.member();
      expect((await change(admin, 'make', ada)).status).toBe(201);
      const token = ada.browser.cookies.get('nova_session') ?? '';
      const rightsOn = async (server: TestApi) => (await server.nova.app.get(Sessions).find(token))?.isAdmin;
      expect([await rightsOn(api), await rightsOn(second)]).toEqual([true, true]);
      expect((await change(admin, 'unmake', ada)).status).toBe(201);
      expect(await rightsOn(api)).toBe(false);
      // A remembered session would last five seconds.
      await eventually(
        () => rightsOn(second),
        (isAdmin) => isAdmin === false,
        2_000,
      );
    } finally {
      await second.close();
    }
  });

  it('use their passkey before they change who is one', async () => {
    const device = new SoftwareAuthenticator('http://localhost:3000');
    const ada = await api.member();
    await addPasskey(admin, device);
    await api.database.pool.query('delete from fresh_proofs');
    expect(await change(admin, 'make', ada)).toMatchObject({ status: 403, body: { code: 'FRESH_PROOF_NEEDED' } });
    await proveAgain(admin.browser, device);
    expect((await change(admin, 'make', ada)).status).toBe(201);
    await api.database.pool.query('delete from fresh_proofs');
    expect(await change(admin, 'unmake', ada)).toMatchObject({ status: 403, body: { code: 'FRESH_PROOF_NEEDED' } });
  });
});

it('an admin whom another unmade stays so, although a start has their address as ADMIN_EMAIL', async () => {
  const { api, admin } = await signInAdmin(startTestApi);
  try {
    const ada = await api.member();
    expect((await change(admin, 'make', ada)).status).toBe(201);
    expect((await change(ada, 'unmake', admin)).status).toBe(201);
    const again = await startTestApi({ database: api.database, environment: { ADMIN_EMAIL: admin.email } });
    try {
      expect(await stats(admin)).toBe(403);
      expect(await stats(ada)).toBe(200);
    } finally {
      await again.close();
    }
  } finally {
    await api.close();
  }
});
