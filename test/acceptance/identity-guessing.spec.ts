import { registrationBody, startTestApi, type TestApi, type TestBrowser, type TestMember } from '../support/api.js';

const terms = { tcConsent: true, tcVersion: '1.0' };
const WRONG = 'a wrong guess';

/** The proxy in front names the client, so a test can call from any address. */
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });

/** Twenty at a time: fewer than may wait for one network. */
async function inBatches<T>(count: number, run: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < count) {
    const begun = all.length;
    const batch = Math.min(20, count - begun);
    all.push(...(await Promise.all(Array.from({ length: batch }, (_, n) => run(begun + n)))));
  }
  return all;
}
const countsOf = (statuses: readonly number[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

describe('guessing', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { TRUST_PROXY: 'loopback' } });
  });
  afterAll(() => api?.close());

  let networks = 0;
  /** A network that no other test uses. */
  const newNetwork = (): string => `198.51.${Math.floor((networks += 1) / 200)}.${networks % 200}`;
  const signingIn = async (
    { email, password }: { email: string; password: string },
    { address, browser = api.browser() }: { address: string; browser?: TestBrowser },
  ): Promise<number> => (await browser.post('/api/auth/signin', { email, password, ...terms }, from(address))).status;
  const guessing = ({ email }: Pick<TestMember, 'email'>, address: string, browser?: TestBrowser): Promise<number> =>
    signingIn({ email, password: WRONG }, browser ? { address, browser } : { address });

  it('one password on 150 accounts out of one network is stopped, and nobody else is', async () => {
    const [attacker, home] = [newNetwork(), newNetwork()];
    const member = await api.member();
    const statuses = await inBatches(150, (n) => guessing({ email: `victim-${n}@example.com` }, attacker));
    expect(countsOf(statuses)).toEqual({ 401: 100, 429: 50 });
    const rows = async (): Promise<number | null> =>
      (await api.database.pool.query('select from rate_limit_windows')).rowCount;
    const before = await rows();
    const more = await inBatches(20, (n) => guessing({ email: `another-${n}@example.com` }, attacker));
    expect(countsOf(more)).toEqual({ 429: 20 });
    expect(await rows()).toBe(before);
    // A new browser in that network waits like the attacker; the member's own browser and other networks do not.
    expect(await signingIn(member, { address: attacker })).toBe(429);
    expect(await signingIn(member, { address: attacker, browser: member.browser })).toBe(200);
    expect(await signingIn(member, { address: home })).toBe(200);
  });

  it('40 networks on one account are stopped, however many ask at once, and its owner signs in meanwhile', async () => {
    const member = await api.member();
    const [attackers, home] = [Array.from({ length: 40 }, newNetwork), newNetwork()];
    const attack = Promise.all(attackers.map((address) => guessing(member, address)));
    const owner = signingIn(member, { address: home, browser: member.browser });
    const statuses = await attack;
    expect(countsOf(statuses)).toEqual({ 401: 30, 429: 10 });
    expect(await owner).toBe(200);
    expect(await signingIn(member, { address: home, browser: member.browser })).toBe(200);
    expect(await signingIn(member, { address: attackers[0] ?? '', browser: member.browser })).toBe(200);
    // For a while, a browser that never signed in to this account cannot sign in with any password.
    expect(await signingIn(member, { address: home })).toBe(429);
    expect(await signingIn(await api.member(), { address: home })).toBe(200);
  });

  it('a browser that another account knows is a stranger’s, and so is one with a cookie of its own making', async () => {
    const [member, attacker] = [await api.member(), await api.member()];
    const forger = api.browser();
    forger.cookies.set('nova_device', 'x'.repeat(43));
    const address = newNetwork();
    for (const browser of [attacker.browser, forger]) {
      for (let n = 0; n < 5; n++) expect(await guessing(member, address, browser)).toBe(401);
    }
    for (const browser of [attacker.browser, forger, api.browser()]) {
      expect(await guessing(member, address, browser)).toBe(429);
    }
  });

  it('in a browser that the account knows is limited too, and in that one alone', async () => {
    const member = await api.member();
    const address = newNetwork();
    const statuses = await Promise.all(Array.from({ length: 15 }, () => guessing(member, address, member.browser)));
    expect(countsOf(statuses)).toEqual({ 401: 10, 429: 5 });
    expect(await signingIn(member, { address, browser: member.browser })).toBe(429);
    expect(await signingIn(member, { address })).toBe(200);
  });

  it('from all addresses of an IPv6 network counts as from one, and the next network is another', async () => {
    const member = await api.member();
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, n) => guessing(member, `2001:db8:1:1::${n}`)));
    expect(countsOf(statuses)).toEqual({ 401: 10, 429: 2 });
    expect(await signingIn(member, { address: '2001:db8:1:1:ffff::1' })).toBe(429);
    expect(await signingIn(member, { address: '2001:db8:1:2::1' })).toBe(200);
  });

  it('at an IPv4 address counts alike, however it is written', async () => {
    const member = await api.member();
    const written = ['192.0.2.9', '::ffff:192.0.2.9', '::ffff:c000:209', '64:ff9b::c000:209', '2002:c000:209:5::1'];
    for (const address of [...written, ...written]) expect(await guessing(member, address)).toBe(401);
    for (const address of written) expect(await guessing(member, address)).toBe(429);
  });

  it('counts together at every call that takes a password or a PIN', async () => {
    const member = await api.member();
    const { email, pin, password } = member;
    const newPassword = 'another password';
    const device = '00000000-0000-7000-8000-000000000000';
    const calls = (secret: { password: string; pin: string }, headers: Record<string, string>) => {
      const given = { email, password: secret.password };
      const browser = api.browser();
      return [
        () => browser.post('/api/auth/signin', { ...given, ...terms }, headers),
        () => browser.get(`/api/devices/by-email?${new URLSearchParams(given).toString()}`, headers),
        () => browser.post('/api/devices/by-email', given, headers),
        () => browser.send('DELETE', `/api/devices/${device}`, { body: given, headers }),
        () => browser.post('/api/auth/recover', { email, pin: secret.pin, newPassword }, headers),
      ];
    };
    const headers = from(newNetwork());
    const wrong = calls({ password: WRONG, pin: '090909' }, headers);
    for (const call of [...wrong, ...wrong]) {
      expect(await call()).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } });
    }
    for (const call of calls({ password, pin }, headers)) {
      expect(await call()).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    }
    expect(await signingIn(member, { address: newNetwork() })).toBe(200);
  });

  it('with made-up addresses out of many networks of a site refuses no other sign-in, nor keeps it waiting to the end', async () => {
    const member = await api.member();
    let answered = 0;
    const flood = Promise.all(
      Array.from({ length: 240 }, async (_, n) => {
        const status = await guessing({ email: `made-up-${n}@example.com` }, `2001:db8:77:${n}::1`);
        answered += 1;
        return status;
      }),
    );
    const home = newNetwork();
    expect(await signingIn(member, { address: home })).toBe(200);
    expect(await signingIn(member, { address: home, browser: member.browser })).toBe(200);
    // Both came last, and got their answers while others still waited.
    expect(answered).toBeLessThan(240);
    expect(new Set(await flood)).toEqual(new Set([401]));
  }, 240_000);
});

describe('registrations', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ environment: { TRUST_PROXY: 'loopback', RATE_LIMIT_FACTOR: '0.05' } });
  });
  afterAll(() => api?.close());

  it('are counted by network', async () => {
    const registering = async (address: string): Promise<number> =>
      (await api.browser().post('/api/auth/register', registrationBody(), from(address))).status;
    for (let n = 1; n <= 3; n++) expect(await registering(`2001:db8:1:1::${n}`)).toBe(201);
    expect(await registering('2001:db8:1:1::4')).toBe(429);
    expect(await registering('2001:db8:1:2::1')).toBe(201);
  });
});

describe('forwarding headers', () => {
  const warnings = async (environment: Record<string, string>): Promise<Record<string, unknown>[]> => {
    const lines: string[] = [];
    const api = await startTestApi({
      environment: { ...environment, LOG_LEVEL: 'warn' },
      logTo: { write: (line) => void lines.push(line) },
    });
    try {
      for (const name of ['x-forwarded-for', 'forwarded', 'x-forwarded-for']) {
        await api.browser().get('/api/auth/user', { [name]: '203.0.113.7' });
      }
    } finally {
      await api.close();
    }
    const parsed = lines.map((line): Record<string, unknown> => JSON.parse(line));
    return parsed.filter(({ msg }) => String(msg).includes('TRUST_PROXY'));
  };

  it('are worth one warning where no proxy is trusted, without the address that they claim', async () => {
    const found = await warnings({});
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ header: 'x-forwarded-for', from: '127.0.0.1' });
    expect(String(found[0]?.['msg'])).toContain('set TRUST_PROXY to that address');
    expect(JSON.stringify(found)).not.toContain('203.0.113.7');
  });

  it('are worth none where one is', async () => {
    expect(await warnings({ TRUST_PROXY: 'loopback' })).toEqual([]);
  });
});
