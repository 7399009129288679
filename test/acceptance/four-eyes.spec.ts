import { randomUUID } from 'node:crypto';
import type { Ledger } from '@app/ledger';
import { Approvals } from '../../apps/api/src/admin/approvals/approvals.js';
import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { novaBalance, signInAdmin } from '../support/money.js';

/** The sweep takes up what nobody has been at for five seconds, every five seconds. */
const SWEPT_WITHIN_MS = 20_000;

let api: TestApi;
let second: TestApi | undefined;
let rhea: TestMember;
let ada: TestMember;
let bob: TestMember;

beforeEach(async () => {
  ({ api, admin: rhea } = await signInAdmin(startTestApi));
  [ada, bob] = [await api.member({ displayName: 'Ada' }), await api.member({ displayName: 'Bob' })];
});
afterEach(async () => {
  await second?.close();
  second = undefined;
  await api?.close();
});

/** Another server of the same installation. */
async function secondServer(): Promise<TestApi> {
  second = await startTestApi({ database: api.database, environment: { RATE_LIMIT_FACTOR: '1000' } });
  return second;
}

const makeAdmin = (by: TestMember, whom: TestMember) => by.browser.post(`/api/admin/users/${whom.id}/make-admin`, {});
const unmake = (by: TestMember, whom: TestMember) => by.browser.post(`/api/admin/users/${whom.id}/unmake-admin`, {});
const limits = (by: TestMember, threshold: unknown, dailyCap: unknown = null) =>
  by.browser.send('PUT', '/api/admin/controls', { body: { threshold, dailyCap } });
const grant = (by: TestMember, amount: number, more: { reason?: string; key?: string; to?: TestMember } = {}) =>
  by.browser.post(
    `/api/admin/users/${(more.to ?? bob).id}/add-nova`,
    { amount, ...(more.reason && { reason: more.reason }) },
    more.key === undefined ? {} : { 'idempotency-key': more.key },
  );
const deduct = (by: TestMember, amount: number) =>
  by.browser.post(`/api/admin/users/${bob.id}/deduct-nova`, { amount });
const approve = (by: TestMember, { body }: TestAnswer) => by.browser.post(`/api/admin/approvals/${body.id}/approve`);
const decline = (by: TestMember, { body }: TestAnswer, reason: unknown = 'No') =>
  by.browser.post(`/api/admin/approvals/${body.id}/decline`, { reason });
const stateOf = async ({ body }: TestAnswer) => (await rhea.browser.get(`/api/admin/approvals/${body.id}`)).body;
const waiting = async () => (await rhea.browser.get('/api/admin/approvals')).body;

/** Two admins, and a second one for what is above 1,000 Nova. */
async function fourEyes(): Promise<void> {
  expect((await makeAdmin(rhea, ada)).status).toBe(201);
  expect((await limits(rhea, 1_000)).status).toBe(200);
}

test('without a threshold, with one admin, and up to the threshold every call answers as before', async () => {
  expect((await grant(rhea, 5_000)).status).toBe(201);
  expect(await limits(rhea, 1_000)).toMatchObject({
    status: 200,
    body: { threshold: 1_000, dailyCap: null, admins: 1, changedBy: { id: rhea.id } },
  });
  expect((await grant(rhea, 5_000)).status).toBe(201);
  expect((await makeAdmin(rhea, ada)).status).toBe(201);
  expect((await grant(rhea, 1_000)).status).toBe(201);
  expect(await novaBalance(bob)).toBe(11_000);
  expect(await waiting()).toMatchObject({ approvals: [], waiting: 0 });
});

test('a grant above the threshold waits; another admin approves it, and then it is the first admin’s grant', async () => {
  await fourEyes();
  const asked = await grant(rhea, 1_000.01, { reason: 'For the festival' });
  expect(asked).toMatchObject({ status: 202, body: { code: 'WAITING', status: 'waiting', id: expect.any(String) } });
  expect(await novaBalance(bob)).toBe(0);
  expect(await waiting()).toMatchObject({
    waiting: 1,
    approvals: [
      {
        id: asked.body.id,
        kind: 'grant',
        status: 'waiting',
        admin: { id: rhea.id, displayName: 'Rhea' },
        target: { id: bob.id, displayName: 'Bob' },
        amount: 1_000.01,
        reason: 'For the festival',
        decidedBy: null,
      },
    ],
  });
  const own = await approve(rhea, asked);
  expect([own.status, own.body.code, own.body.message]).toEqual([
    403,
    'OWN_ACT',
    'You asked for this yourself. Another admin must approve it.',
  ]);
  expect((await approve(bob, asked)).status).toBe(403);
  expect(await novaBalance(bob)).toBe(0);

  const done = await approve(ada, asked);
  expect(done).toMatchObject({ status: 200, body: { status: 'done', decidedBy: { id: ada.id }, refusal: null } });
  expect(await novaBalance(bob)).toBe(1_000.01);
  const event = (await rhea.browser.get(`/api/admin/events/${done.body.eventId}`)).body;
  expect(event).toMatchObject({ type: 'NovaGranted', reason: 'For the festival', data: { adminId: rhea.id } });
  expect(await waiting()).toMatchObject({ waiting: 0, approvals: [] });
  expect((await rhea.browser.get('/api/admin/approvals?status=all')).body.approvals).toHaveLength(1);
  const audit = (await rhea.browser.get('/api/admin/audit?limit=20')).body.entries.map(
    ({ action, adminId }: { action: string; adminId: string }) => [action, adminId],
  );
  expect(audit).toEqual(
    expect.arrayContaining([
      ['ApprovalRequested', rhea.id],
      ['ApprovalGiven', ada.id],
      ['NovaGranted', rhea.id],
    ]),
  );
});

test('an act is decided once: twice, by two admins on two servers at once, and after it was declined', async () => {
  await fourEyes();
  const cleo = await api.member();
  const made = await makeAdmin(rhea, cleo);
  expect(made.status).toBe(202);
  expect((await approve(ada, made)).body.status).toBe('done');
  const elsewhere = (await secondServer()).browser();
  for (const [name, value] of cleo.browser.cookies) elsewhere.cookies.set(name, value);
  for (let round = 1; round <= 3; round += 1) {
    const asked = await grant(rhea, 2_000);
    const answers = await Promise.all([
      approve(ada, asked),
      elsewhere.post(`/api/admin/approvals/${asked.body.id}/approve`),
      decline(cleo, asked),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const { status } = await stateOf(asked);
    expect(answers.find((answer) => answer.status === 200)?.body.status).toBe(status);
    expect(await approve(ada, asked)).toMatchObject({ status: 409, body: { code: 'NOT_WAITING' } });
    expect(await decline(ada, asked)).toMatchObject({ status: 409, body: { code: 'NOT_WAITING' } });
  }
  const all = (await rhea.browser.get('/api/admin/approvals?status=all')).body.approvals;
  const done = all.filter(({ kind, status }: Record<string, string>) => kind === 'grant' && status === 'done');
  expect(await novaBalance(bob)).toBe(2_000 * done.length);
});

test('an act is declined with a reason, or withdrawn, and nothing has happened', async () => {
  await fourEyes();
  const [first, own] = [await grant(rhea, 2_000), await grant(rhea, 3_000)];
  expect(await decline(ada, first, '')).toMatchObject({ status: 400, body: { code: 'REQUIRED' } });
  expect(await decline(ada, first, 'x'.repeat(501))).toMatchObject({ status: 400 });
  expect(await decline(ada, first, 'Too much')).toMatchObject({
    status: 200,
    body: { status: 'declined', decidedBy: { id: ada.id }, decisionReason: 'Too much' },
  });
  expect(await decline(rhea, own, 'My mistake')).toMatchObject({ status: 200, body: { status: 'declined' } });
  expect(await approve(ada, first)).toMatchObject({ status: 409, body: { code: 'NOT_WAITING' } });
  expect(await novaBalance(bob)).toBe(0);
  const nobodys = { body: { id: randomUUID() } } as TestAnswer;
  expect((await approve(ada, nobodys)).status).toBe(404);
  expect((await decline(ada, nobodys)).status).toBe(404);
});

test('an approved act that a crash interrupts before or after the ledger is finished, once', async () => {
  await fourEyes();
  const asked = await grant(rhea, 2_000);
  const ledger = api.nova.app.get<Ledger>(LEDGER);
  jest.spyOn(api.nova.app.get(Approvals), 'goOn').mockRejectedValueOnce(new Error('the process ended'));
  expect(await approve(ada, asked)).toMatchObject({ status: 200, body: { status: 'approved', eventId: null } });
  expect(await novaBalance(bob)).toBe(0);
  const done = await eventually(
    () => stateOf(asked),
    ({ status }) => status === 'done',
    SWEPT_WITHIN_MS,
  );
  expect(done.eventId).toEqual(expect.any(String));
  expect(await novaBalance(bob)).toBe(2_000);

  const other = await grant(rhea, 3_000);
  const execute = ledger.execute.bind(ledger);
  jest.spyOn(ledger, 'execute').mockImplementationOnce(async (request) => {
    await execute(request);
    throw new Error('the answer was lost');
  });
  expect((await approve(ada, other)).body.status).toBe('approved');
  await eventually(
    () => stateOf(other),
    ({ status }) => status === 'done',
    SWEPT_WITHIN_MS,
  );
  expect(await novaBalance(bob)).toBe(5_000);
});

test('what the ledger refuses by then is told on the act', async () => {
  await fourEyes();
  expect((await grant(rhea, 900)).status).toBe(201);
  expect(await deduct(rhea, 1_500)).toMatchObject({ status: 400, body: { code: 'INSUFFICIENT_NOVA' } });
  expect((await grant(rhea, 900)).status).toBe(201);
  const asked = await deduct(rhea, 1_500);
  expect(asked.status).toBe(202);
  expect((await deduct(rhea, 900)).status).toBe(201);
  expect(await approve(ada, asked)).toMatchObject({
    status: 200,
    body: { status: 'refused', refusal: 'INSUFFICIENT_NOVA', message: 'Amount exceeds current balance', eventId: null },
  });
  expect(await novaBalance(bob)).toBe(900);
});

test('whoever is no admin any more approves nothing, and what they asked for is approved by nobody', async () => {
  await fourEyes();
  const cleo = await api.member();
  await approve(ada, await makeAdmin(rhea, cleo));
  const [asked, cleos] = [await grant(rhea, 2_000), await grant(cleo, 2_000)];
  expect((await unmake(rhea, cleo)).status).toBe(201);
  expect(await approve(cleo, asked)).toMatchObject({ status: 403, body: { code: 'ADMIN_ONLY' } });
  expect(await approve(ada, cleos)).toMatchObject({ status: 409, body: { code: 'REQUESTER_NO_ADMIN' } });
  expect(await novaBalance(bob)).toBe(0);
});

test('a repeated call gives the first answer, whatever the threshold is by then', async () => {
  await fourEyes();
  const [waits, direct] = [randomUUID(), randomUUID()];
  expect((await grant(rhea, 900, { key: direct })).status).toBe(201);
  const asked = await grant(rhea, 2_000, { key: waits, reason: 'x' });
  expect((await grant(rhea, 2_000, { key: waits, reason: 'x' })).body.id).toBe(asked.body.id);
  expect((await limits(rhea, 500)).status).toBe(200);
  expect((await grant(rhea, 900, { key: direct })).status).toBe(201);
  expect(await novaBalance(bob)).toBe(900);
  expect((await approve(ada, await limits(rhea, 5_000))).body.status).toBe('done');
  expect(await grant(rhea, 2_000, { key: waits, reason: 'x' })).toMatchObject({
    status: 202,
    body: { id: asked.body.id, status: 'waiting' },
  });
  expect((await approve(ada, asked)).body.status).toBe('done');
  expect(await grant(rhea, 2_000, { key: waits, reason: 'x' })).toMatchObject({
    status: 202,
    body: { status: 'done' },
  });
  for (const other of [grant(rhea, 2_001, { key: waits, reason: 'x' }), grant(rhea, 2_000, { key: waits })]) {
    expect(await other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
  }
  expect(await novaBalance(bob)).toBe(2_900);
});

describe('the limits', () => {
  test('are from 0 to 1,000,000,000 Nova with two decimals, or null', async () => {
    for (const wrong of [-1, 1_000_000_000.01, 0.001, '5', undefined, {}, []]) {
      for (const body of [
        { threshold: wrong, dailyCap: null },
        { threshold: null, dailyCap: wrong },
      ]) {
        const answer = await rhea.browser.send('PUT', '/api/admin/controls', { body });
        expect([wrong, answer]).toMatchObject([
          wrong,
          { status: 400, body: { message: expect.stringMatching(/\.$/) } },
        ]);
      }
    }
    expect((await rhea.browser.get('/api/admin/controls')).body).toMatchObject({ threshold: null, changedBy: null });
    expect((await limits(rhea, 0, 1_000_000_000)).status).toBe(200);
  });

  test('are tightened at once, and loosened by two', async () => {
    await fourEyes();
    expect((await limits(rhea, 500, 9_000)).status).toBe(200);
    for (const [threshold, cap] of [
      [501, 9_000],
      [null, 9_000],
      [500, 9_001],
      [500, null],
      [100, null],
    ] as const) {
      const asked = await limits(rhea, threshold, cap);
      expect(asked).toMatchObject({ status: 202, body: { code: 'WAITING' } });
      expect((await decline(ada, asked)).status).toBe(200);
    }
    expect((await rhea.browser.get('/api/admin/controls')).body).toMatchObject({ threshold: 500, dailyCap: 9_000 });
    const asked = await limits(rhea, null, 10_000);
    expect(await stateOf(asked)).toMatchObject({ kind: 'controls', details: { threshold: null, dailyCap: '1000000' } });
    expect((await approve(rhea, asked)).body.code).toBe('OWN_ACT');
    expect((await approve(ada, asked)).body.status).toBe('done');
    expect((await rhea.browser.get('/api/admin/controls')).body).toMatchObject({
      threshold: null,
      dailyCap: 10_000,
      changedBy: { id: rhea.id },
    });
    expect((await grant(rhea, 9_000)).status).toBe(201);
  });

  test('cannot be got around by making an accomplice, unmaking the other, or taking their password', async () => {
    await fourEyes();
    expect((await makeAdmin(rhea, bob)).status).toBe(202);
    const asked = await unmake(rhea, ada);
    expect(asked.status).toBe(202);
    expect((await rhea.browser.get('/api/admin/admins')).body.admins).toHaveLength(2);
    expect(
      await rhea.browser.post(`/api/admin/users/${ada.id}/reset-password`, { newPassword: 'sesame street' }),
    ).toMatchObject({ status: 409, body: { code: 'CANNOT_RESET_ADMIN' } });
    expect((await ada.browser.get('/api/admin/stats')).status).toBe(200);
    expect((await approve(ada, asked)).body.status).toBe('done');
    expect((await ada.browser.get('/api/admin/stats')).status).toBe(403);
    expect((await grant(rhea, 2_000)).status).toBe(201);
  });

  test('cap what an admin grants on a day exactly, on two servers at once, bulks and approved acts with it', async () => {
    await makeAdmin(rhea, ada);
    await limits(rhea, 400, 1_000);
    const ledgers = [api, await secondServer()].map(({ nova }) => nova.app.get<Ledger>(LEDGER));
    const dry = await grant(rhea, 400.01);
    expect(dry.status).toBe(202);
    const outcomes = await Promise.all(
      Array.from({ length: 15 }, () => ledgers)
        .flat()
        .map((ledger) =>
          ledger.execute({
            command: { type: 'GrantNova', userId: bob.id, adminId: rhea.id, amount: 70_00n, dailyLimit: 1_000_00n },
            actor: `admin:${rhea.id}`,
          }),
        ),
    );
    expect(outcomes.filter((outcome) => outcome.status === 'accepted')).toHaveLength(14);
    expect(await approve(ada, dry)).toMatchObject({ body: { status: 'refused', refusal: 'ADMIN_DAILY_CAP' } });
    expect(await grant(rhea, 21)).toMatchObject({ status: 403, body: { code: 'ADMIN_DAILY_CAP', available: 20 } });
    const bulk = (mode: string, csv: string) =>
      rhea.browser.post('/api/admin/bulk-grants', { csv, mode, batchId: randomUUID() });
    for (const mode of ['atomic', 'each']) {
      expect(await bulk(mode, `${bob.id},10\n${ada.id},10.01`)).toMatchObject({
        status: 403,
        body: { code: 'ADMIN_DAILY_CAP' },
      });
    }
    expect((await bulk('each', `${bob.id},10\n${ada.id},9`)).status).toBe(201);
    expect((await grant(rhea, 1)).status).toBe(201);
    expect((await grant(rhea, 0.01)).body.code).toBe('ADMIN_DAILY_CAP');
    expect((await grant(ada, 300)).status).toBe(201);
  });
});

test('a file counts as its sum: it waits, shows its rows, and is granted once when it is approved', async () => {
  await fourEyes();
  const csv = `${bob.email},600,For the talk\n${ada.id},600,For the tea`;
  const batchId = randomUUID();
  const send = (by: TestMember, text = csv) =>
    by.browser.post('/api/admin/bulk-grants', { csv: text, mode: 'atomic', batchId });
  const asked = await send(rhea);
  expect(asked).toMatchObject({ status: 202, body: { code: 'WAITING' } });
  // Another admin's sending of the same batch does not approve it.
  expect((await send(ada)).body.id).toBe(asked.body.id);
  expect((await send(rhea, `${bob.id},700,x`)).status).toBe(422);
  expect(await stateOf(asked)).toMatchObject({ kind: 'bulk', amount: 1_200, details: { rows: 2, mode: 'atomic' } });
  expect((await ada.browser.get(`/api/admin/bulk-grants/waiting/${asked.body.id}`)).body).toMatchObject({
    acceptable: 2,
    total: 1_200,
    rows: [{ member: { id: bob.id }, amount: 600, reason: 'For the talk' }, { member: { id: ada.id } }],
  });
  expect(await novaBalance(bob)).toBe(0);
  expect(await approve(ada, asked)).toMatchObject({
    body: { status: 'done', message: 'Granted 1,200 Nova in 2 of 2 rows.' },
  });
  expect(await novaBalance(bob)).toBe(600);
  expect(await send(rhea)).toMatchObject({ status: 201, body: { repeated: true, batch: { admin: { id: rhea.id } } } });
  expect(await novaBalance(bob)).toBe(600);
  const files = () => api.database.pool.query('select from waiting_file');
  await eventually(
    async () => (await files()).rowCount,
    (count) => count === 0,
  );
  const again = await rhea.browser.post('/api/admin/bulk-grants', { csv, mode: 'atomic', batchId: randomUUID() });
  expect([again.status, again.body.code]).toEqual([409, 'FILE_GRANTED_BEFORE']);
});

test('a file that waits is granted to those whom its rows meant when it was asked for', async () => {
  await fourEyes();
  const cleo = await api.member();
  const csv = `${cleo.email},1500,x\nnobody@example.com,9000,x\n${bob.id},1,x`;
  const body = { csv, mode: 'each', batchId: randomUUID() };
  const asked = await rhea.browser.post('/api/admin/bulk-grants', body);
  expect(await stateOf(asked)).toMatchObject({ kind: 'bulk', amount: 1_501 });
  expect((await rhea.browser.delete(`/api/admin/users/${cleo.id}`)).status).toBe(200);
  const newcomers = [await api.member({ email: cleo.email }), await api.member({ email: 'nobody@example.com' })];
  const shown = (await ada.browser.get(`/api/admin/bulk-grants/waiting/${asked.body.id}`)).body;
  expect(shown.rows.map(({ code }: { code: string | null }) => code)).toEqual([
    'ACCOUNT_CLOSED',
    'MEMBER_NOT_FOUND',
    null,
  ]);
  expect(await approve(ada, asked)).toMatchObject({
    body: { status: 'done', message: 'Granted 1 Nova in 1 of 3 rows.' },
  });
  for (const newcomer of newcomers) expect(await novaBalance(newcomer)).toBe(0);
  expect(await novaBalance(bob)).toBe(1);
});

test('a reversal above the threshold waits, is done once, and not where it was done otherwise meanwhile', async () => {
  await fourEyes();
  const granted = await grant(rhea, 5_000);
  const { eventId } = (await approve(ada, granted)).body;
  const reverse = (by: TestMember, more: object = {}) =>
    by.browser.post(`/api/admin/events/${eventId}/reverse`, { reason: 'A mistake', ...more });
  expect((await grant(rhea, 1)).status).toBe(201);
  const [first, other] = [await reverse(rhea), await reverse(ada)];
  for (const asked of [first, other]) expect(asked).toMatchObject({ status: 202, body: { code: 'WAITING' } });
  expect(await stateOf(first)).toMatchObject({
    kind: 'reversal',
    amount: 5_000,
    target: { id: bob.id },
    details: { eventId, partly: false },
    reason: 'A mistake',
  });
  expect(await novaBalance(bob)).toBe(5_001);
  expect((await approve(rhea, first)).body.code).toBe('OWN_ACT');
  const done = await approve(ada, first);
  expect(done.body).toMatchObject({ status: 'done', message: '5,000 Nova came back.', eventId: expect.any(String) });
  expect(await novaBalance(bob)).toBe(1);
  expect(await approve(rhea, other)).toMatchObject({ body: { status: 'refused', refusal: 'ALREADY_REVERSED' } });
  expect(await reverse(rhea)).toMatchObject({ status: 201, body: { eventId: done.body.eventId } });
  expect(await reverse(ada)).toMatchObject({ status: 409, body: { code: 'ALREADY_REVERSED' } });
  expect(await novaBalance(bob)).toBe(1);
});
