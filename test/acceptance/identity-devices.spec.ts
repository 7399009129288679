import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { whileTableStands } from '../support/standing-table.js';

const credentials = ({ email, password }: TestMember) => ({ email, password });
const terms = { tcConsent: true, tcVersion: '1.0' };

describe('devices', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '10' } });
  });
  afterAll(() => api?.close());

  const signIn = (member: TestMember, browser = api.browser(), userAgent = 'Firefox') =>
    browser.post('/api/auth/signin', { ...credentials(member), ...terms }, { 'user-agent': userAgent });
  const devices = async (member: TestMember) =>
    (await api.browser().post('/api/devices/by-email', credentials(member))).body.devices as {
      id: string;
      userAgent: string;
    }[];

  it('lists devices newest first, by GET and by its safe twin alike', async () => {
    const member = await api.member();
    await signIn(member, api.browser(), 'Second Browser/1.0');
    const { email, password } = member;
    const byQuery = await api
      .browser()
      .get(`/api/devices/by-email?${new URLSearchParams({ email, password }).toString()}`);
    const byBody = await api.browser().post('/api/devices/by-email', { email, password });
    expect(byQuery.status).toBe(200);
    expect(byQuery.body).toEqual({
      devices: [
        { id: expect.any(String), userAgent: 'Second Browser/1.0', createdAt: expect.stringMatching(/^\d{4}-.+Z$/) },
        { id: expect.any(String), userAgent: expect.any(String), createdAt: expect.any(String) },
      ],
      count: 2,
      limit: 10,
    });
    expect(byBody.body).toEqual(byQuery.body);
  });

  it('refuses the eleventh device, lets known ones in, and lets one in again after a removal', async () => {
    const member = await api.member();
    for (let i = 0; i < 9; i++) expect((await signIn(member)).status).toBe(200);
    const eleventh = await signIn(member);
    expect(eleventh).toMatchObject({
      status: 403,
      body: {
        statusCode: 403,
        code: 'DEVICE_LIMIT',
        requiresDeviceManagement: true,
        message: expect.stringContaining('Maximum 10 devices allowed'),
      },
    });
    expect(eleventh.headers.getSetCookie()).toEqual([]);
    expect((await signIn(member, member.browser)).status).toBe(200);
    const [newest] = await devices(member);
    const removed = await api.browser().delete(`/api/devices/${newest!.id}`, credentials(member));
    expect(removed).toMatchObject({ status: 200, body: { message: 'The device has been removed successfully.' } });
    expect((await signIn(member)).status).toBe(200);
    expect(await devices(member)).toHaveLength(10);
  });

  it('keeps to ten when many sign in at the same moment', async () => {
    const member = await api.member();
    const answers = await Promise.all(Array.from({ length: 13 }, () => signIn(member)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(4);
    expect(await devices(member)).toHaveLength(10);
  });

  it('ends the sessions of a removed device, and no others', async () => {
    const member = await api.member();
    const other = api.browser();
    await signIn(member, other);
    expect((await other.get('/api/auth/user')).status).toBe(200);
    const [newest] = await devices(member);
    await api.browser().delete(`/api/devices/${newest!.id}`, credentials(member));
    expect((await other.get('/api/auth/user')).status).toBe(401);
    expect((await member.browser.get('/api/auth/user')).status).toBe(200);
  });

  it('lets in whose device is removed at the same moment, and ends that session', async () => {
    const member = await api.member();
    const [device] = await devices(member);
    const { pool } = api.database;
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event in ('relation', 'transactionid')`;
    const untilWaiting = (clients: number) => eventually(async () => (await pool.query(waiting)).rowCount === clients);
    const [signingIn, removing] = await whileTableStands(pool, 'sessions', async () => {
      const first = signIn(member, member.browser);
      await untilWaiting(1);
      const second = api.browser().delete(`/api/devices/${device!.id}`, credentials(member));
      await untilWaiting(2);
      return [first, second];
    });
    expect([(await signingIn).status, (await removing).status]).toEqual([200, 200]);
    expect((await member.browser.get('/api/auth/user')).status).toBe(401);
  });

  it('counts one browser once for each account that uses it', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    await signIn(bob, ada.browser);
    await signIn(ada, ada.browser);
    expect(await devices(ada)).toHaveLength(1);
    expect(await devices(bob)).toHaveLength(2);
  });

  it('keeps others away from a device', async () => {
    const [ada, mallory] = [await api.member(), await api.member()];
    const [device] = await devices(ada);
    const answer = await mallory.browser.delete(`/api/devices/${device!.id}`, credentials(mallory));
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message: 'This device was not found.' } });
    expect(await devices(ada)).toHaveLength(1);
  });

  it.each([
    ['no password', { password: undefined }, 400, 'Email and password are required'],
    ['a wrong password', { password: 'wrong password' }, 401, 'Invalid email or password.'],
    ['an unknown account', { email: 'nobody@example.com' }, 401, 'Invalid email or password.'],
  ])('shows nothing to %s', async (_, change, status, message) => {
    const member = await api.member();
    const [device] = await devices(member);
    const given = { ...credentials(member), ...change };
    const listed = await api.browser().post('/api/devices/by-email', given);
    const removed = await api.browser().delete(`/api/devices/${device!.id}`, given);
    for (const answer of [listed, removed]) expect(answer).toMatchObject({ status, body: { message } });
    expect(await devices(member)).toHaveLength(1);
  });

  it('answers 404 for ids that are none', async () => {
    const member = await api.member();
    for (const id of ['1', 'nonsense', '00000000-0000-7000-8000-000000000000', "x'--"]) {
      expect((await api.browser().delete(`/api/devices/${encodeURIComponent(id)}`, credentials(member))).status).toBe(
        404,
      );
    }
  });

  it('keeps a browser description of any length', async () => {
    const member = await api.member();
    await signIn(member, api.browser(), 'x'.repeat(5_000));
    const [newest] = await devices(member);
    expect(newest!.userAgent).toBe('x'.repeat(400));
  });
});
