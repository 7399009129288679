import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { AccountSecrets } from '../../apps/api/src/identity/account-secrets.js';
import { OneTimeWords } from '../../apps/api/src/identity/one-time-words.js';
import { Challenges } from '../../apps/api/src/passkeys/challenges.js';
import { issueWayIn } from '../../apps/api/src/passkeys/way-in.js';
import { CONFIG } from '../../apps/api/src/platform/config.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import {
  addPasskey,
  proveAgain,
  signInAnswer,
  signInByPasskey,
  SoftwareAuthenticator,
  type Trick,
} from '../support/authenticator.js';

const ORIGIN = 'http://localhost:3000';
const TERMS = { tcConsent: true, tcVersion: '1.0' };
const MINUTES_OF_PROOF = 10;

describe('passkeys', () => {
  let api: TestApi;
  let device: SoftwareAuthenticator;
  let member: TestMember;

  beforeAll(async () => {
    api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '1000' } });
  });
  afterAll(() => api?.close());
  beforeEach(async () => {
    device = new SoftwareAuthenticator(ORIGIN);
    member = await api.member();
  });

  const passkeysOf = async ({ browser }: TestMember) => (await browser.get('/api/auth/passkeys')).body;
  const query = (sql: string): Promise<Record<string, unknown>[]> => api.nova.app.get(DataSource).query(sql);
  /** Makes every proof in every session this much older. */
  const proofsAge = (minutes: number) =>
    query(`update fresh_proofs set proved_at = proved_at - interval '${minutes} minutes'`);
  const again = async ({ email, password }: TestMember) => {
    const browser = api.browser();
    expect((await browser.post('/api/auth/signin', { email, password, ...TERMS })).status).toBe(200);
    return browser;
  };
  const rowsOf = async (table: string): Promise<number> =>
    Number((await query(`select count(*)::int as rows from ${table}`))[0]?.['rows']);

  it('are added with the password, named, and removed', async () => {
    expect(await member.browser.post('/api/auth/passkeys/options', { password: 'wrong' })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    const added = await addPasskey(member, device, 'My phone');
    expect(added).toMatchObject({ status: 201, body: { recoveryCodes: expect.any(Array) } });
    expect(new Set(added.body.recoveryCodes).size).toBe(10);
    expect(await passkeysOf(member)).toMatchObject({
      passkeys: [{ id: added.body.id, name: 'My phone', lastUsedAt: null, isSynced: false }],
      limit: 10,
      recoveryCodesLeft: 10,
      isAvailable: true,
    });
    const path = `/api/auth/passkeys/${added.body.id}`;
    expect((await member.browser.send('PATCH', path, { body: { name: '  Old phone ' } })).status).toBe(200);
    expect((await passkeysOf(member)).passkeys).toMatchObject([{ name: 'Old phone' }]);
    expect(await member.browser.send('PATCH', path, { body: { name: ' ' } })).toMatchObject({ status: 400 });

    const stranger = await api.member();
    expect((await stranger.browser.send('PATCH', path, { body: { name: 'Mine' } })).status).toBe(404);
    expect((await stranger.browser.delete(path)).status).toBe(404);

    expect((await member.browser.delete(path)).status).toBe(200);
    expect((await member.browser.delete(path)).status).toBe(404);
    expect(await passkeysOf(member)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
    expect((await signInByPasskey(api.browser(), device)).status).toBe(401);
  });

  it('are ten at most in an account, and each is in one account only', async () => {
    const options = await member.browser.post('/api/auth/passkeys/options', { password: member.password });
    const answer = device.create(options.body);
    expect((await member.browser.post('/api/auth/passkeys', { name: 'First', answer })).status).toBe(201);
    // The same credential once more, with another challenge, as a device that was tampered with might offer it.
    const other = await api.member();
    const offered = await other.browser.post('/api/auth/passkeys/options', { password: other.password });
    const stolen = JSON.parse(Buffer.from(answer.response.clientDataJSON, 'base64url').toString());
    const clientDataJSON = Buffer.from(JSON.stringify({ ...stolen, challenge: offered.body.challenge })).toString(
      'base64url',
    );
    const taken = { ...answer, response: { ...answer.response, clientDataJSON } };
    expect(await other.browser.post('/api/auth/passkeys', { name: 'Mine', answer: taken })).toMatchObject({
      status: 409,
      body: { code: 'PASSKEY_KNOWN' },
    });
    for (let count = 2; count <= 10; count += 1) expect((await addPasskey(member, device)).status).toBe(201);
    expect(await addPasskey(member, device)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PASSKEYS' } });
    expect((await passkeysOf(member)).passkeys).toHaveLength(10);
  });

  it('are not added by an answer for another session, an old challenge, or one without verification', async () => {
    const options = await member.browser.post('/api/auth/passkeys/options', { password: member.password });
    const other = await api.member();
    const add = (who: TestMember, trick: Trick = {}) =>
      who.browser.post('/api/auth/passkeys', { name: 'Mine', answer: device.create(options.body, trick) });
    const refused = { status: 403, body: { code: 'PASSKEY_REFUSED' } };
    expect(await add(other)).toMatchObject(refused);
    expect(await add(member, { isVerified: false })).toMatchObject(refused);
    expect(await add(member, { origin: 'https://nova.evil.example' })).toMatchObject(refused);
    expect(await add(member, { rpId: 'evil.example' })).toMatchObject(refused);
    expect((await add(member)).status).toBe(201);
    expect(await add(member)).toMatchObject(refused);
    expect((await passkeysOf(member)).passkeys).toHaveLength(1);
  });

  describe('signing in', () => {
    it('works in place of the password, through the same devices and sessions', async () => {
      await addPasskey(member, device);
      const browser = api.browser();
      const answer = await signInByPasskey(browser, device);
      expect(answer).toMatchObject({ status: 200, body: { user: { id: member.id, email: member.email } } });
      expect((await browser.get('/api/auth/user')).body.user.id).toBe(member.id);
      expect((await passkeysOf(member)).passkeys[0].lastUsedAt).not.toBeNull();
      const { email, password } = member;
      const devices = await api.browser().post('/api/devices/by-email', { email, password });
      expect(devices.body.count).toBe(2);
      for (let count = 3; count <= 10; count += 1) {
        expect((await signInByPasskey(api.browser(), device)).status).toBe(200);
      }
      const eleventh = api.browser();
      expect(await signInByPasskey(eleventh, device)).toMatchObject({
        status: 403,
        body: { code: 'DEVICE_LIMIT', requiresDeviceManagement: true },
      });
      expect((await eleventh.get('/api/auth/user')).status).toBe(401);
      expect((await signInByPasskey(browser, device)).status).toBe(200);
    });

    it('tells of a new device, and not of one that is known', async () => {
      await addPasskey(member, device);
      const told = async () => {
        const { notices } = (await member.browser.get('/api/auth/security-notices')).body;
        return notices.filter(({ kind }: { kind: string }) => kind === 'new_device');
      };
      const browser = api.browser();
      expect((await signInByPasskey(browser, device)).status).toBe(200);
      expect(await told()).toMatchObject([{ isUnseen: true }]);
      expect((await signInByPasskey(browser, device)).status).toBe(200);
      expect(await told()).toHaveLength(1);
    });

    it('needs consent to the terms', async () => {
      await addPasskey(member, device);
      const browser = api.browser();
      const answer = await signInAnswer(browser, device);
      const sent = await browser.post('/api/auth/passkeys/sign-in', { answer, tcConsent: false, tcVersion: '1.0' });
      expect(sent).toMatchObject({ status: 400, body: { code: 'TERMS_NOT_ACCEPTED' } });
    });

    it('refuses an answer that was used, another browser’s, and one that is too old', async () => {
      await addPasskey(member, device);
      const browser = api.browser();
      const refused = { status: 401, body: { code: 'PASSKEY_REFUSED' } };
      const answer = await signInAnswer(browser, device);
      const send = (who = browser) => who.post('/api/auth/passkeys/sign-in', { answer, ...TERMS });
      expect(await send(api.browser())).toMatchObject(refused);
      const other = api.browser();
      await other.post('/api/auth/passkeys/sign-in/options');
      expect(await send(other)).toMatchObject(refused);
      expect((await send()).status).toBe(200);
      expect(await send()).toMatchObject(refused);

      const late = new Challenges(api.nova.app.get(CONFIG), {
        query: async () => ({ rows: [{ ms: String(Date.now() - 5 * 60_000 - 1_000) }] }),
      } as never);
      const holder = browser.cookies.get('nova_passkey') ?? '';
      const challenge = Buffer.from(await late.issue({ purpose: 'sign-in', holder })).toString('base64url');
      const tooLate = device.get({ challenge, rpId: 'localhost' });
      expect(await browser.post('/api/auth/passkeys/sign-in', { answer: tooLate, ...TERMS })).toMatchObject(refused);

      const made = await browser.post('/api/auth/passkeys/sign-in/options');
      const bytes = Buffer.from(made.body.challenge, 'base64url');
      expect(bytes.readUIntBE(16, 6)).toBeLessThanOrEqual(Date.now() + 5 * 60_000 + 1_000);
      // A later end, which the server has not sealed.
      bytes.writeUIntBE(Date.now() + 60 * 60_000, 16, 6);
      const forged = device.get({ ...made.body, challenge: bytes.toString('base64url') });
      expect(await browser.post('/api/auth/passkeys/sign-in', { answer: forged, ...TERMS })).toMatchObject(refused);
    });

    it('counts an answer once that comes many times at once', async () => {
      await addPasskey(member, device);
      const browser = api.browser();
      const answer = await signInAnswer(browser, device);
      const sent = await Promise.all(
        Array.from({ length: 6 }, () => browser.post('/api/auth/passkeys/sign-in', { answer, ...TERMS })),
      );
      expect(sent.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(sent.filter(({ status }) => status === 401)).toHaveLength(5);
    });

    it.each<[string, Trick]>([
      ['whose member was not verified', { isVerified: false }],
      ['for another site', { origin: 'https://nova.evil.example' }],
      ['for another name', { rpId: 'evil.example' }],
      ['that names another member', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
      ['that names nobody', { userHandle: undefined }],
      ['of a copy, whose count is behind', { counter: 1 }],
    ])('refuses an answer %s', async (_, trick) => {
      await addPasskey(member, device);
      await signInByPasskey(api.browser(), device);
      expect(await signInByPasskey(api.browser(), device, trick)).toMatchObject({
        status: 401,
        body: { code: 'PASSKEY_REFUSED' },
      });
      expect((await signInByPasskey(api.browser(), device)).status).toBe(200);
    });

    it('takes devices that do not count', async () => {
      const still = { counter: 0 };
      const options = await member.browser.post('/api/auth/passkeys/options', { password: member.password });
      const answer = device.create(options.body, still);
      expect((await member.browser.post('/api/auth/passkeys', { name: 'Synced', answer })).status).toBe(201);
      for (const _ of [1, 2]) expect((await signInByPasskey(api.browser(), device, still)).status).toBe(200);
    });

    it('says of nobody whether they have an account, and keeps no row for a stranger', async () => {
      await addPasskey(member, device);
      const before = await rowsOf('used_passkey_challenges');
      for (let count = 0; count < 20; count += 1) {
        const browser = api.browser();
        const { body } = await browser.post('/api/auth/passkeys/sign-in/options');
        expect(body).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
        expect(body.allowCredentials ?? []).toEqual([]);
        const unknown = new SoftwareAuthenticator(ORIGIN);
        unknown.create({ challenge: '', rp: { id: 'localhost' }, user: { id: 'AAAA' } });
        const answer = unknown.get(body);
        expect(await browser.post('/api/auth/passkeys/sign-in', { answer, ...TERMS })).toMatchObject({
          status: 401,
          body: { code: 'PASSKEY_REFUSED' },
        });
      }
      expect(await rowsOf('used_passkey_challenges')).toBe(before);
    });

    it('refuses what is no answer of a device with a sentence', async () => {
      const browser = api.browser();
      await addPasskey(member, device);
      const right = await signInAnswer(browser, device);
      const wrong: unknown[] = [undefined, null, 7, [], {}, { ...right, type: 'password' }, { ...right, id: 'ÿ' }];
      wrong.push({ ...right, response: { ...right.response, signature: 'A'.repeat(3_000) } });
      wrong.push({ ...right, response: { ...right.response, clientDataJSON: 'AAAA' } });
      wrong.push({ ...right, response: { ...right.response, authenticatorData: 'AAAA' } });
      for (const answer of wrong) {
        const sent = await browser.post('/api/auth/passkeys/sign-in', { answer, ...TERMS });
        expect([answer, [400, 401].includes(sent.status), typeof sent.body.message]).toEqual([answer, true, 'string']);
      }
    });
  });

  describe('a fresh proof', () => {
    const newSecret = ({ browser }: Pick<TestMember, 'browser'>) =>
      browser.post('/api/oauth/regenerate-secret', { clientId: randomUUID() });
    const needed = { status: 403, body: { code: 'FRESH_PROOF_NEEDED' } };
    const passed = { status: 404, body: { code: expect.not.stringMatching(/PROOF/) } };

    it('is good for ten minutes in its own session, and not after', async () => {
      expect(await newSecret(member)).toMatchObject(passed);
      await addPasskey(member, device);
      const browser = await again(member);
      expect(await newSecret({ browser })).toMatchObject(needed);
      expect((await proveAgain(browser, device)).status).toBe(200);
      expect(await newSecret({ browser })).toMatchObject(passed);
      expect(await newSecret({ browser: await again(member) })).toMatchObject(needed);
      await proofsAge(MINUTES_OF_PROOF - 1);
      expect(await newSecret({ browser })).toMatchObject(passed);
      await proofsAge(1);
      expect(await newSecret({ browser })).toMatchObject(needed);
    });

    it('comes with signing in by a passkey, and with adding one', async () => {
      await addPasskey(member, device);
      expect(await newSecret(member)).toMatchObject(passed);
      const browser = api.browser();
      await signInByPasskey(browser, device);
      expect(await newSecret({ browser })).toMatchObject(passed);
    });

    it('is refused by an answer that was used, another session’s, another account’s, or without verification', async () => {
      await addPasskey(member, device);
      const browser = await again(member);
      const refused = { status: 403, body: { code: 'PASSKEY_REFUSED' } };
      const { body: options } = await browser.post('/api/auth/fresh-proof/options');
      const answer = device.get(options);
      expect(await (await again(member)).post('/api/auth/fresh-proof', { answer })).toMatchObject(refused);
      expect((await browser.post('/api/auth/fresh-proof', { answer })).status).toBe(200);
      expect(await browser.post('/api/auth/fresh-proof', { answer })).toMatchObject(refused);
      expect(await proveAgain(browser, device, { isVerified: false })).toMatchObject(refused);

      const thief = await api.member();
      const theirs = new SoftwareAuthenticator(ORIGIN);
      await addPasskey(thief, theirs);
      const { body: asked } = await browser.post('/api/auth/fresh-proof/options');
      const foreign = theirs.get({ ...asked, allowCredentials: [] });
      expect(await browser.post('/api/auth/fresh-proof', { answer: foreign })).toMatchObject(refused);
      // A challenge for signing in proves nothing here.
      const visiting = await signInAnswer(browser, device);
      expect(await browser.post('/api/auth/fresh-proof', { answer: visiting })).toMatchObject(refused);
    });

    it('guards what would let a password do as much: another passkey, codes, the removal of one', async () => {
      const added = await addPasskey(member, device);
      const thief = { browser: await again(member), password: member.password };
      expect(await addPasskey(thief, new SoftwareAuthenticator(ORIGIN))).toMatchObject(needed);
      expect(await thief.browser.post('/api/auth/recovery-codes')).toMatchObject(needed);
      expect(await thief.browser.delete(`/api/auth/passkeys/${added.body.id}`)).toMatchObject(needed);
      expect((await passkeysOf(member)).passkeys).toHaveLength(1);
      expect((await proveAgain(thief.browser, device)).status).toBe(200);
      expect((await addPasskey(thief, new SoftwareAuthenticator(ORIGIN))).status).toBe(201);
    });

    it('ends in other sessions when a passkey is removed', async () => {
      const added = await addPasskey(member, device);
      await addPasskey(member, new SoftwareAuthenticator(ORIGIN));
      const browser = await again(member);
      await proveAgain(browser, device);
      expect((await member.browser.delete(`/api/auth/passkeys/${added.body.id}`)).status).toBe(200);
      expect(await newSecret({ browser })).toMatchObject(needed);
    });

    it('may be a recovery code, once each; new codes replace all', async () => {
      const { body } = await addPasskey(member, device);
      const [first, second] = body.recoveryCodes;
      const browser = await again(member);
      const prove = (recoveryCode: string, who = browser) => who.post('/api/auth/fresh-proof', { recoveryCode });
      const refused = { status: 403, body: { code: 'CODE_REFUSED' } };
      expect(await prove('000000-000000-000000-000000')).toMatchObject(refused);
      expect(await prove(first, (await api.member()).browser)).toMatchObject(refused);
      expect((await prove(first.toLowerCase().replaceAll('-', ' '))).status).toBe(200);
      expect(await newSecret({ browser })).toMatchObject(passed);
      expect(await prove(first)).toMatchObject(refused);
      expect(await passkeysOf(member)).toMatchObject({ recoveryCodesLeft: 9 });
      const made = await browser.post('/api/auth/recovery-codes');
      expect(made).toMatchObject({ status: 201, body: { recoveryCodes: expect.any(Array) } });
      expect(await prove(second)).toMatchObject(refused);
      expect((await prove(made.body.recoveryCodes[0])).status).toBe(200);
      const kept = await query('select code_hash::text as code from recovery_codes');
      expect(JSON.stringify(kept)).not.toContain(made.body.recoveryCodes[1]);
      expect(await browser.post('/api/auth/fresh-proof', {})).toMatchObject({ status: 400 });
      expect(await (await api.member()).browser.post('/api/auth/recovery-codes')).toMatchObject({
        status: 409,
        body: { code: 'NO_PASSKEY' },
      });
    });
  });

  it('that are all lost have a way in from the command line: a word that works once, for that account', async () => {
    await addPasskey(member, device);
    const browser = await again(member);
    const word = await issueWayIn(api.nova.app.get(OneTimeWords), member.id);
    const enter = (who = browser) => who.post('/api/auth/fresh-proof', { recoveryCode: word });
    const other = await api.member();
    await addPasskey(other, new SoftwareAuthenticator(ORIGIN));
    expect(await enter(other.browser)).toMatchObject({ status: 403, body: { code: 'CODE_REFUSED' } });
    // Guesses by a session, perhaps a stolen one, invalidate nothing: nobody guesses a word of 256 bits.
    for (let guess = 0; guess < 12; guess += 1) {
      const wrong = await browser.post('/api/auth/fresh-proof', { recoveryCode: `guess ${guess}` });
      expect(wrong).toMatchObject({ status: 403, body: { code: 'CODE_REFUSED' } });
    }
    expect((await enter()).status).toBe(200);
    expect((await browser.post('/api/auth/recovery-codes')).status).toBe(201);
    expect(await enter()).toMatchObject({ status: 403, body: { code: 'CODE_REFUSED' } });
  });

  it('of the last week go with a recovery, and so do the codes; older ones stay', async () => {
    const old = await addPasskey(member, device, 'Old key');
    await query(`update passkeys set created_at = now() - interval '8 days' where id = '${old.body.id}'`);
    const young = new SoftwareAuthenticator(ORIGIN);
    await addPasskey(member, young, 'New key');
    const { email, pin } = member;
    const newPassword = 'another quiet evening';
    expect((await api.browser().post('/api/auth/recover', { email, pin, newPassword })).status).toBe(200);
    expect((await signInByPasskey(api.browser(), young)).status).toBe(401);
    const browser = api.browser();
    expect((await signInByPasskey(browser, device)).status).toBe(200);
    expect((await browser.get('/api/auth/passkeys')).body).toMatchObject({
      passkeys: [{ name: 'Old key' }],
      recoveryCodesLeft: 0,
    });
    const { notices } = (await browser.get('/api/auth/security-notices')).body;
    expect(notices.map(({ message }: { message: string }) => message)).toContain(
      'The reset removed your newest passkeys: “New key”. ' +
        'These passkeys still work: “Old key”. In your settings, remove any that is not yours.',
    );
  });

  it.each(['a recovery', "an admin's reset"])('%s voids a way in that the operator gave before', async (how) => {
    const old = await addPasskey(member, device, 'Old key');
    await query(`update passkeys set created_at = now() - interval '8 days' where id = '${old.body.id}'`);
    const word = await issueWayIn(api.nova.app.get(OneTimeWords), member.id);
    const { id, email, pin } = member;
    const password = 'another quiet evening';
    if (how === 'a recovery') {
      const recovered = await api.browser().post('/api/auth/recover', { email, pin, newPassword: password });
      expect(recovered.status).toBe(200);
    } else {
      await api.nova.app.get(AccountSecrets).reset(id, { kind: 'password', secret: password });
    }
    const browser = await again({ ...member, password });
    expect(await browser.post('/api/auth/fresh-proof', { recoveryCode: word })).toMatchObject({
      status: 403,
      body: { code: 'CODE_REFUSED' },
    });
  });

  it('stay when the member changes the password', async () => {
    await addPasskey(member, device);
    const change = { currentPassword: member.password, newPassword: 'another quiet evening' };
    expect((await member.browser.post('/api/auth/password', change)).status).toBe(200);
    expect((await signInByPasskey(api.browser(), device)).status).toBe(200);
  });
});

describe('at an IP address', () => {
  it('passkeys are neither offered nor demanded', async () => {
    const environment = { PUBLIC_URL: 'http://192.0.2.7:3000', ADMIN_EMAIL: 'root@example.com' };
    const api = await startTestApi({ environment });
    try {
      const admin = await api.member({ email: 'root@example.com' });
      expect((await admin.browser.get('/api/auth/passkeys')).body).toMatchObject({ isAvailable: false });
      const unavailable = { status: 404, body: { code: 'PASSKEYS_UNAVAILABLE' } };
      const { password } = admin;
      expect(await admin.browser.post('/api/auth/passkeys/options', { password })).toMatchObject(unavailable);
      expect(await api.browser().post('/api/auth/passkeys/sign-in/options')).toMatchObject(unavailable);
    } finally {
      await api.close();
    }
  });
});

describe('visitors', () => {
  it('get so many challenges a minute from one network, and no more', async () => {
    const api = await startTestApi({ environment: { RATE_LIMIT_FACTOR: '0.01' } });
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) {
        statuses.push((await api.browser().post('/api/auth/passkeys/sign-in/options')).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    } finally {
      await api.close();
    }
  });
});
