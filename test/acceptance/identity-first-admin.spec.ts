import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { issueFirstAdminWord } from '../../apps/api/src/identity/first-admin.js';
import { OneTimeWords } from '../../apps/api/src/identity/one-time-words.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';

const EMAIL = 'root@example.com';
const WRONG = { status: 403, body: { code: 'WRONG_WORD' } };

describe('the first admin on an address that strangers reach', () => {
  let dataDir: string;
  let api: TestApi;
  let root: TestMember;
  let logged = '';
  /** Kept until the end: in each process Passport knows only one application, the newest. */
  const others: TestApi[] = [];
  const file = () => path.join(dataDir, 'secrets', 'first-admin-word');
  const start = () =>
    startTestApi({
      ...(api ? { database: api.database } : {}),
      environment: {
        PUBLIC_URL: 'https://nova.example',
        ADMIN_EMAIL: 'Root@Example.com',
        NOVA_DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
      },
      logTo: { write: (line) => (logged += line) },
    });
  const enter = ({ browser }: TestMember, word: unknown) => browser.post('/api/auth/admin-word', { word });
  const userOf = async ({ browser }: TestMember) => (await browser.get('/api/auth/user')).body.user;

  beforeAll(async () => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'nova-admin-'));
    api = await start();
  });
  afterAll(async () => {
    for (const other of others) await other.close();
    await api?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('registers like any other member', async () => {
    root = await api.member({ email: EMAIL });
    expect(await userOf(root)).toMatchObject({ isAdmin: false, awaitsAdminWord: true });
    expect((await root.browser.get('/api/admin/stats')).status).toBe(403);
    expect(await userOf(await api.member())).toMatchObject({ isAdmin: false, awaitsAdminWord: false });
  });

  it('is no admin after a start either, which names a file that only its owner reads and says no secret', async () => {
    const word = readFileSync(file(), 'utf8').trim();
    expect(word).toMatch(/^[\w-]{43}$/);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(logged).toContain(file());
    expect(logged).toContain('which has no account yet');
    logged = '';
    others.push(await start());
    expect(await userOf(root)).toMatchObject({ isAdmin: false });
    // The word stays the same, because somebody may have copied it already.
    expect(readFileSync(file(), 'utf8').trim()).toBe(word);
    expect(logged).toContain('whose account is not an admin yet');
    expect(logged).not.toContain(word);
  });

  it.each([
    ['a wrong word', 'x'.repeat(43), 403, 'WRONG_WORD'],
    ['a long one', 'x'.repeat(5_000), 400, 'WRONG_WORD'],
    ['none', '', 400, 'REQUIRED'],
    ['a number', 7, 400, 'WRONG_WORD'],
    ['an object', { word: 'x' }, 400, 'WRONG_WORD'],
  ])('refuses %s', async (_, word, status, code) => {
    expect(await enter(root, word)).toMatchObject({ status, body: { code, message: expect.any(String) } });
    expect(await userOf(root)).toMatchObject({ isAdmin: false });
  });

  it('takes the right word from nobody else, and does not use it up', async () => {
    const word = readFileSync(file(), 'utf8');
    expect(await enter(await api.member(), word)).toMatchObject(WRONG);
    expect((await api.browser().post('/api/auth/admin-word', { word })).status).toBe(401);
  });

  it('becomes an admin by the word, however many wrong ones came before, which is used up with all others, and stays one', async () => {
    const word = readFileSync(file(), 'utf8');
    for (let guess = 0; guess < 12; guess += 1) expect(await enter(root, `guess ${guess}`)).toMatchObject(WRONG);
    const words = api.nova.app.get(OneTimeWords);
    const spare = await issueFirstAdminWord(words, EMAIL);
    expect(await enter(root, word)).toMatchObject({ status: 200, body: { user: { isAdmin: true } } });
    expect(await userOf(root)).toMatchObject({ isAdmin: true, awaitsAdminWord: false });
    // Strangers can reach this address by a name: the admin has to add a passkey first.
    expect(await root.browser.get('/api/admin/stats')).toMatchObject({
      status: 403,
      body: { code: 'PASSKEY_REQUIRED' },
    });
    expect(() => statSync(file())).toThrow('ENOENT');
    expect(await words.isLiving({ purpose: 'first_admin', subject: EMAIL }, spare)).toBe(false);
    expect((await api.database.pool.query('select from one_time_words')).rowCount).toBe(0);
    logged = '';
    others.push(await start());
    expect(logged).not.toContain('ADMIN_EMAIL');
    expect(await userOf(root)).toMatchObject({ isAdmin: true });
  });
});

describe('the admin of a demo', () => {
  it('takes the word on a loopback address too, because everybody knows the address', async () => {
    const api = await startTestApi({ environment: { ADMIN_EMAIL: EMAIL, DEMO_DATA: 'true' } });
    try {
      const { browser } = await api.member({ email: EMAIL });
      expect((await browser.get('/api/auth/user')).body.user).toMatchObject({ isAdmin: false, awaitsAdminWord: true });
    } finally {
      await api.close();
    }
  });
});
