import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { affinityScores } from '@app/domain';
import type { Pool } from 'pg';
import { AccountDeletionSweeper } from '../../apps/api/src/admin/account-deletion-sweeper.js';
import { AccountTakeout } from '../../apps/api/src/platform/account-takeout.js';
import { PG_POOL } from '../../apps/api/src/platform/database/database.module.js';
import { FileStore } from '../../apps/api/src/platform/uploads/files/file-store.js';
import { TakeoutArchive } from '../../apps/api/src/takeout/takeout-archive.js';
import { TakeoutHousekeeping } from '../../apps/api/src/takeout/takeout-housekeeping.js';
import { takeoutKey, TakeoutRounds } from '../../apps/api/src/takeout/takeout-rounds.js';
import { Takeouts } from '../../apps/api/src/takeout/takeouts.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { authorize, registerApplication } from '../support/applications.js';
import { addPasskey, proveAgain, SoftwareAuthenticator } from '../support/authenticator.js';
import { rate, REVIEW, send, talk } from '../support/chats.js';
import { eventually } from '../support/eventually.js';
import { picture } from '../support/media.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { anotherBrowser, registerApplication as register } from '../support/oauth.js';
import { activeChat } from '../support/open-chat.js';
import { unzip } from '../support/unzip.js';

/** Words that only this member types, and only the other. */
const OWN = 'Zanzibar';
const OTHERS = 'Timbuktu';

type Row = Record<string, unknown>;

describe('everything of a member', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const last = async ({ browser }: TestMember) => (await browser.get('/api/takeout')).body.takeout;
  const order = ({ browser }: TestMember) => browser.post('/api/takeout');
  const madeIn = (member: TestMember, state: string) =>
    eventually(
      () => last(member),
      (takeout) => takeout?.state === state,
    );

  /** Orders one and waits for it. */
  async function ready(member: TestMember) {
    expect((await order(member)).status).toBe(202);
    return madeIn(member, 'ready');
  }

  async function download(member: TestMember, id: string): Promise<Map<string, Buffer>> {
    const { status, body } = await member.browser.get(`/api/takeout/${id}`);
    expect([status, body.url]).toEqual([200, `/api/takeout/${id}/file`]);
    const answer = await member.browser.bytes(body.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="nova-everything-of-mine.zip"');
    expect(answer.headers.get('content-length')).toBe(String(answer.bytes.length));
    return unzip(answer.bytes);
  }

  /** A host who has left something behind everywhere. */
  async function busyMember() {
    const chat = await activeChat(api, admin);
    const { host: member, initiator: other } = chat;
    await send(member, chat.chatId, `${OWN} is where I would like to live.`);
    await send(other, chat.chatId, `${OTHERS} is nicer.`);
    await talk(chat, 5);
    await rate(other, chat.chatId, { comment: `${OTHERS}! ${REVIEW}` });
    await rate(member, chat.chatId, { comment: `${OWN}! ${REVIEW}` });
    await grantNova(admin, member.id, 5_000.25);
    const { browser } = member;
    await browser.post('/api/gifts/send', { recipientId: other.id, amount: 1_000 });
    await browser.post(`/api/profile/${other.id}/wall`, { comment: `Come to ${OWN}` });
    await grantNova(admin, other.id, 5_000);
    await other.browser.post(`/api/profile/${member.id}/wall`, { comment: `Come to ${OTHERS}` });
    await browser.send('PATCH', '/api/profile', { body: { bio: `I live in ${OWN}` } });
    await browser.send('PATCH', '/api/profile/settings', { body: { minimumChatPrice: 2.5 } });
    await browser.post('/api/resonance', {
      horizon: 'long_term',
      ...affinityScores(() => 50),
      currentTraits: ['Calm'],
      idealTraits: ['Wise'],
    });
    await browser.post(`/api/users/${other.id}/follow`);
    const stranger = await api.member({ displayName: 'Bad Bob' });
    await browser.post(`/api/users/${stranger.id}/block`);
    await browser.post(`/api/users/${stranger.id}/report`, { text: `He knows nothing of ${OWN}.` });
    const { uploadURL, mediaUrl } = (await browser.post('/api/content/upload-url', {})).body;
    const body = new Uint8Array(await picture(64, 48).jpeg().toBuffer());
    await fetch(new URL(uploadURL, api.url), { method: 'PUT', body, headers: { 'content-type': 'image/jpeg' } });
    await browser.post('/api/content/scroll-feed', { mediaUrl, caption: `${OWN} at dusk` });
    await register(member, { description: `Maps of ${OWN}` });
    const used = await authorize(api, member, await registerApplication(other));
    await used.post('/api/tokens/spend', { amount: 1, description: `A map of ${OWN}` });
    return { chat, member, other, stranger, mediaUrl: mediaUrl as string };
  }

  it('is a ZIP of lists and files, with no word of others and no secret', async () => {
    const { chat, member, other, stranger, mediaUrl } = await busyMember();
    const { id, bytes, expiresAt, progress } = await ready(member);
    expect([bytes > 1_000, progress]).toEqual([true, 100]);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    const files = await download(member, id);
    const rows = (path: string): Row[] => JSON.parse(String(files.get(`${path}.json`))) as Row[];

    expect(rows('account')).toEqual([
      expect.objectContaining({ id: member.id, email: member.email, displayName: member.displayName }),
    ]);
    expect(rows('profile')).toEqual([expect.objectContaining({ bio: `I live in ${OWN}` })]);
    expect(rows('chat-settings')).toEqual([expect.objectContaining({ minimumChatPriceDollars: '2.50' })]);
    expect(rows('resonance')).toEqual([expect.objectContaining({ currentTraits: ['Calm'] })]);
    expect(rows('devices')).toHaveLength(1);
    expect(rows('sessions')).toHaveLength(1);
    expect(rows('chats/chats')).toEqual([
      expect.objectContaining({
        chatId: chat.chatId,
        side: 'host',
        otherId: other.id,
        otherName: other.displayName,
        price: expect.stringMatching(/^\d+\.\d\d$/),
      }),
    ]);
    expect(rows('chats/messages').map(({ text }) => text)).toContain(`${OWN} is where I would like to live.`);
    expect(rows('chats/messages')).toHaveLength(6);
    expect(rows('chats/ratings')).toEqual([
      expect.objectContaining({ ratedId: other.id, rating: 90, comment: `${OWN}! ${REVIEW}` }),
    ]);
    expect(rows('wall-comments')).toEqual([
      expect.objectContaining({ ownerId: other.id, ownerName: other.displayName, comment: `Come to ${OWN}` }),
    ]);
    expect(rows('members/following')).toEqual([expect.objectContaining({ memberId: other.id })]);
    expect(rows('members/blocked')).toEqual([
      expect.objectContaining({ memberId: stranger.id, memberName: 'Bad Bob' }),
    ]);
    expect(rows('members/reports')).toEqual([expect.objectContaining({ text: `He knows nothing of ${OWN}.` })]);
    expect(rows('posts/posts')).toEqual([expect.objectContaining({ caption: `${OWN} at dusk` })]);
    expect(rows('applications/own')).toEqual([expect.objectContaining({ description: `Maps of ${OWN}` })]);
    expect(rows('applications/consents')).toEqual([expect.objectContaining({ application: 'Chess Club' })]);
    expect(rows('applications/movements')).toEqual([
      expect.objectContaining({ type: 'spend', amount: '1.00', note: `A map of ${OWN}` }),
    ]);
    const statement = rows('wallet/statement');
    expect(statement).toContainEqual(
      expect.objectContaining({
        type: 'gift_send',
        amount: '-1000.00',
        counterpartyId: other.id,
        counterpartyName: other.displayName,
        description: `Gift to ${other.displayName}`,
      }),
    );
    expect(rows('wallet/balance')).toEqual([expect.objectContaining({ nova: (await novaBalance(member)).toFixed(2) })]);

    const fileId = mediaUrl.split('/').at(-1);
    expect(rows('files/files')).toEqual([expect.objectContaining({ id: fileId, contentType: 'image/jpeg' })]);
    const served = await member.browser.bytes(mediaUrl);
    expect(files.get(`files/${fileId}.jpeg`)).toEqual(Buffer.from(served.bytes));

    const index = JSON.parse(String(files.get('index.json')));
    expect(index).toMatchObject({ product: 'Nova', accountId: member.id, files: [`files/${fileId}.jpeg`] });
    expect(index.lists).toContainEqual({ path: 'chats/messages.json', rows: 6 });
    const listed: string[] = index.lists.map(({ path }: { path: string }) => path);
    expect(new Set(files.keys())).toEqual(new Set(['README.txt', 'index.json', ...index.files, ...listed]));

    const all = [...files]
      .filter(([path]) => !path.startsWith('files/') || path.endsWith('.json'))
      .map(([, text]) => String(text))
      .join('\n');
    expect(all.match(new RegExp(OWN, 'g'))?.length).toBeGreaterThan(6);
    expect(all).not.toContain(OTHERS);
    const { rows: secrets } = await api.database.pool.query<{ secret: string }>(
      `select password_hash as secret from accounts where id = $1 union all select pin_hash from accounts where id = $1
       union all select encode(token_hash, 'hex') from sessions where account_id = $1
       union all select secret_hash from oauth_applications where owner_id = $1`,
      [member.id],
    );
    expect(secrets.length).toBeGreaterThan(3);
    for (const { secret } of secrets) expect(all).not.toContain(secret);
    for (const word of [other.email, stranger.email]) expect(all).not.toContain(word);
  });

  it('names whom others deleted as the product does', async () => {
    const [member, gone] = [await api.member(), await api.member({ displayName: 'Gone Gary' })];
    await grantNova(admin, member.id, 5_000);
    await member.browser.post('/api/gifts/send', { recipientId: gone.id, amount: 1_000 });
    expect((await admin.browser.delete(`/api/admin/users/${gone.id}`)).status).toBe(200);
    const files = await download(member, (await ready(member)).id);
    const sent = (JSON.parse(String(files.get('wallet/statement.json'))) as Row[]).find(
      ({ type }) => type === 'gift_send',
    );
    expect(sent).toMatchObject({
      description: 'Gift to Deleted member',
      counterpartyId: null,
      counterpartyName: 'Deleted member',
    });
    expect(String(files.get('wallet/statement.json'))).not.toContain(gone.id);
  });

  it('is for its member alone', async () => {
    const [ada, eve] = [await api.member(), await api.member()];
    expect(await last(ada)).toBeNull();
    const { id } = await ready(ada);
    expect(await last(eve)).toBeNull();
    for (const path of [`/api/takeout/${id}`, `/api/takeout/${id}/file`, '/api/takeout/x', '/api/takeout/x/file']) {
      expect([path, (await eve.browser.get(path)).status]).toEqual([path, 404]);
      expect([path, (await api.browser().get(path)).status]).toEqual([path, 401]);
    }
    expect((await api.browser().get('/api/takeout')).status).toBe(401);
    expect((await api.browser().post('/api/takeout')).status).toBe(401);
  });

  it('asks a member with a passkey for it, to order and to download, and tells their other devices', async () => {
    const member = await api.member();
    const { id } = await ready(member);
    const elsewhere = await anotherBrowser(api, member);
    const device = new SoftwareAuthenticator('http://localhost:3000');
    expect((await addPasskey(member, device)).status).toBe(201);
    await api.database.pool.query('delete from fresh_proofs');
    for (const answer of [
      await order(member),
      await member.browser.get(`/api/takeout/${id}`),
      await member.browser.get(`/api/takeout/${id}/file`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([403, 'FRESH_PROOF_NEEDED']);
    }
    expect((await last(member)).id).toBe(id);
    expect((await proveAgain(member.browser, device)).status).toBe(200);
    expect((await member.browser.get(`/api/takeout/${id}`)).status).toBe(200);
    const told = (await elsewhere.get('/api/auth/security-notices')).body.notices;
    expect(told).toContainEqual(
      expect.objectContaining({ kind: 'takeout_ordered', message: expect.stringContaining('was asked for') }),
    );
  });

  it('is made once at a time, three times a day, and a new one replaces the one before', async () => {
    const member = await api.member();
    const [one, other] = await Promise.all([order(member), order(member)]);
    expect([one.status, other.status, one.body.id]).toEqual([202, 202, other.body.id]);
    const first = await madeIn(member, 'ready');
    const second = await ready(member);
    expect(second.id).not.toBe(first.id);
    expect((await member.browser.get(`/api/takeout/${first.id}`)).status).toBe(404);
    const store = api.nova.app.get(FileStore, { strict: false });
    expect(await store.sizeOf(takeoutKey(first.id))).toBeGreaterThan(0);
    await api.nova.app.get(TakeoutHousekeeping, { strict: false }).sweep();
    expect(await store.sizeOf(takeoutKey(first.id))).toBeUndefined();
    expect(await store.sizeOf(takeoutKey(second.id))).toBe(second.bytes);
    await ready(member);
    const refused = await order(member);
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_TAKEOUTS']);
    expect(refused.body.message).toMatch(/3 times a day/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
    expect((await last(member)).state).toBe('ready');
    await api.database.pool.query(
      `update takeouts set ordered_at = ordered_at - interval '25 hours' where account_id = $1`,
      [member.id],
    );
    expect((await order(member)).status).toBe(202);
  });

  it('is gone when its time is over, and with the account', async () => {
    const store = api.nova.app.get(FileStore, { strict: false });
    const member = await api.member();
    const { id } = await ready(member);
    await api.database.pool.query('update takeouts set expires_at = now() where id = $1', [id]);
    expect(await last(member)).toBeNull();
    expect((await member.browser.get(`/api/takeout/${id}/file`)).status).toBe(404);
    await api.nova.app.get(TakeoutHousekeeping, { strict: false }).sweep();
    expect(await store.sizeOf(takeoutKey(id))).toBeUndefined();

    const deleted = await api.member();
    const { id: theirs } = await ready(deleted);
    expect((await admin.browser.delete(`/api/admin/users/${deleted.id}`)).status).toBe(200);
    await api.nova.app.get(AccountDeletionSweeper, { strict: false }).sweep();
    await eventually(async () => (await store.sizeOf(takeoutKey(theirs))) === undefined);
    const { rowCount } = await api.database.pool.query('select from takeouts where id = $1', [theirs]);
    expect(rowCount).toBe(0);
  });
});

describe('a takeout that is interrupted', () => {
  let api: TestApi;
  let admin: TestMember;
  let takeouts: Takeouts;
  let store: FileStore;
  let rounds: TakeoutRounds;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    const get = <T>(type: abstract new (...given: never[]) => T): T => api.nova.app.get(type, { strict: false });
    takeouts = get(Takeouts);
    store = get(FileStore);
    rounds = get(TakeoutRounds);
    // From now on rounds run only on request.
    await rounds.beforeApplicationShutdown();
  });
  afterAll(() => api?.close());

  const round = () => rounds['round'](new AbortController().signal);
  const last = async ({ browser }: TestMember) => (await browser.get('/api/takeout')).body.takeout;
  const leaseEnds = (id: string) => api.database.pool.query(`update takeouts set next_at = now() where id = $1`, [id]);

  it('waits, is left to whoever has it, and made anew by the next when the lease is over', async () => {
    const member = await api.member();
    const { body: ordered } = await member.browser.post('/api/takeout');
    expect(ordered).toMatchObject({ state: 'waiting', progress: 0, bytes: null, expiresAt: null });
    const dead = await takeouts.take();
    expect(dead?.id).toBe(ordered.id);
    expect(dead && (await takeouts.renew(dead, { done: 5, parts: 20 }))).toBe(true);
    expect(await last(member)).toMatchObject({ state: 'running', progress: 25 });
    await round();
    expect((await last(member)).state).toBe('running');
    await leaseEnds(ordered.id);
    await round();
    const { state, bytes } = await last(member);
    expect(state).toBe('ready');
    // Whoever was thought dead can change nothing any more.
    expect(dead && (await takeouts.renew(dead, { done: 6, parts: 20 }))).toBe(false);
    expect(dead && (await takeouts.finish(dead, 1))).toBe(false);
    if (dead) await takeouts.fail(dead);
    expect((await last(member)).bytes).toBe(bytes);
  });

  it('is given up after three attempts, and can be ordered again', async () => {
    const member = await api.member();
    const takeout = api.nova.app.get(AccountTakeout, { strict: false });
    takeout.register({
      path: 'broken',
      members: [],
      rows: async function* () {
        yield [{ a: 1 }];
        throw new Error('the rows cannot be read');
      },
    });
    try {
      const { body: ordered } = await member.browser.post('/api/takeout');
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await round();
        expect((await last(member)).state).toBe('waiting');
        await leaseEnds(ordered.id);
      }
      await round();
      expect(await last(member)).toMatchObject({ state: 'failed', bytes: null, expiresAt: null });
      expect((await member.browser.get(`/api/takeout/${ordered.id}`)).status).toBe(404);
      expect(await store.sizeOf(takeoutKey(ordered.id))).toBeUndefined();
    } finally {
      takeout.lists.pop();
    }
    expect((await member.browser.post('/api/takeout')).body.state).toBe('waiting');
    await round();
    expect((await last(member)).state).toBe('ready');
  });

  it('leaves no file of an account that is erased on the way', async () => {
    const member = await api.member();
    const { body: ordered } = await member.browser.post('/api/takeout');
    const takeout = api.nova.app.get(AccountTakeout, { strict: false });
    takeout.register({
      path: 'last',
      members: [],
      rows: async function* () {
        await admin.browser.delete(`/api/admin/users/${member.id}`);
        await eventually(async () => !(await takeouts.exists(ordered.id)));
        yield [];
      },
    });
    try {
      await round();
    } finally {
      takeout.lists.pop();
    }
    expect(await store.sizeOf(takeoutKey(ordered.id))).toBeUndefined();
  });

  it('stops at its largest size, wherever it is then, and gives back its connection', async () => {
    const member = await api.member();
    const archive = api.nova.app.get(TakeoutArchive, { strict: false });
    const pool = api.nova.app.get<Pool>(PG_POOL, { strict: false });
    const inUse = () => pool.totalCount - pool.idleCount;
    const before = inUse();
    const folder = mkdtempSync(join(tmpdir(), 'nova-takeout-'));
    const request = {
      accountId: member.id,
      orderedAt: new Date(),
      target: join(folder, 'takeout.zip'),
      signal: new AbortController().signal,
      onPart: () => undefined,
    };
    // A list that is longer than what is read ahead, of texts that do not shrink.
    await api.database.pool.query(
      `insert into security_notices (id, account_id, kind, facts, created_at)
       select gen_random_uuid(), $1, 'none', to_jsonb(array(select md5(random()::text || n) from generate_series(1, 200))),
         now() from generate_series(1, 200) n`,
      [member.id],
    );
    for (const bytesMax of [0, 500, 100_000]) {
      await expect(archive.write({ ...request, bytesMax })).rejects.toThrow(`more than ${bytesMax} bytes`);
    }
    await eventually(inUse, (now) => now <= before);
    rmSync(folder, { recursive: true });
  });
});
