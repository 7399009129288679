import { randomUUID } from 'node:crypto';
import type { Ledger } from '@app/ledger';
import { BulkBatches } from '../../apps/api/src/admin/bulk-grants/bulk-batches.js';
import { LEDGER } from '../../apps/api/src/platform/ledger/injected-ledger.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

describe('a file of grants', () => {
  let api: TestApi;
  let admin: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
  });
  afterAll(() => api?.close());

  const check = (csv: unknown) => admin.browser.post('/api/admin/bulk-grants/check', { csv });
  const apply = (csv: string, more: object = {}) =>
    admin.browser.post('/api/admin/bulk-grants', { csv, mode: 'atomic', batchId: randomUUID(), ...more });
  const ledgerRevision = async () =>
    (await api.database.pool.query(`select max(revision) from read.checkpoint where name = 'balances'`)).rows[0].max;
  const rowsOf = (body: { rows: { code: string | null }[] }) => body.rows.map(({ code }) => code);

  it('is checked row by row, and nothing is written', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    const before = await ledgerRevision();
    const verdict = await check(
      `email,amount,reason\n${ada.email.toUpperCase()},500,"Thanks, Ada"\n${bob.id},1.25\nnobody@example.com,5\n${ada.id},0\n${ada.id},7`,
    );
    expect(verdict.status).toBe(200);
    expect(rowsOf(verdict.body)).toEqual([null, null, 'MEMBER_NOT_FOUND', 'INVALID_AMOUNT', null]);
    expect(verdict.body).toMatchObject({ acceptable: 3, refused: 2, total: 508.25, appliedBefore: null });
    expect(verdict.body.rows[0]).toMatchObject({
      line: 2,
      member: { id: ada.id, displayName: ada.displayName },
      amount: 500,
      reason: 'Thanks, Ada',
      ok: true,
    });
    expect(verdict.body.rows[4].message).toBe('This member has an amount on line 2 as well.');
    expect(await novaBalance(ada)).toBe(0);
    expect(await ledgerRevision()).toBe(before);
    expect((await api.database.pool.query('select from admin_reason where user_id = $1', [ada.id])).rowCount).toBe(0);
  });

  it('is granted whole, once, with each row’s own reason', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    const csv = `${ada.id},500,For the talk\n${bob.email},2.50,\n${ada.email},1,Twice`;
    const batchId = randomUUID();
    const first = await apply(csv, { batchId });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      repeated: false,
      refused: 0,
      message: 'Granted 503.50 Nova in 3 of 3 rows.',
      batch: { batchId, mode: 'atomic', rows: 3, granted: 3, total: 503.5, finished: true },
    });
    expect([await novaBalance(ada), await novaBalance(bob)]).toEqual([501, 2.5]);
    const events = await Promise.all(
      first.body.rows.map(async ({ eventId }: { eventId: string }) => {
        const { body } = await admin.browser.get(`/api/admin/events/${eventId}`);
        return [body.type, body.reason];
      }),
    );
    expect(events).toEqual([
      ['NovaGranted', 'For the talk'],
      ['NovaGranted', null],
      ['NovaGranted', 'Twice'],
    ]);
    const again = await apply(csv, { batchId });
    expect(again.body).toEqual({ ...first.body, repeated: true });
    const other = await apply(`\ufeff"${ada.id}";"500.00";"For the talk"\r\n${bob.email};2.5\r\n${ada.email};1;Twice`);
    expect([other.status, other.body.code, other.body.batch.batchId]).toEqual([409, 'FILE_GRANTED_BEFORE', batchId]);
    expect((await check(csv)).body.appliedBefore).toMatchObject({ batchId, finished: true });
    expect([await novaBalance(ada), await novaBalance(bob)]).toEqual([501, 2.5]);
    expect((await apply(csv, { again: true })).status).toBe(201);
    expect(await novaBalance(ada)).toBe(1_002);
    const list = await admin.browser.get('/api/admin/bulk-grants?limit=2');
    expect(list.body.batches.map(({ granted }: { granted: number }) => granted)).toEqual([3, 3]);
    const audit = await eventually(
      async () => (await admin.browser.get(`/api/admin/audit?limit=100`)).body,
      (body) => JSON.stringify(body).includes('For the talk'),
    );
    expect(JSON.stringify(audit)).toContain('Twice');
  });

  it('is refused whole when one row cannot be granted, and can be sent again once it is mended', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    await grantNova(admin, bob.id, 1_000);
    expect((await admin.browser.delete(`/api/admin/users/${bob.id}`)).status).toBe(200);
    const batchId = randomUUID();
    const csv = `${ada.id},500,x\n${bob.id},5`;
    const refused = await apply(csv, { batchId });
    expect([refused.status, refused.body.code]).toEqual([400, 'BULK_REFUSED']);
    expect(rowsOf(refused.body)).toEqual([null, 'MEMBER_NOT_FOUND']);
    expect(refused.body.message).toBe('One row cannot be granted, so nothing was granted.');
    expect(await novaBalance(ada)).toBe(0);
    expect((await api.database.pool.query('select from admin_reason where user_id = $1', [ada.id])).rowCount).toBe(0);
    expect((await apply(`${ada.id},500,x`, { batchId })).status).toBe(201);
    expect(await novaBalance(ada)).toBe(500);
    for (const [other, mode] of [
      [`${ada.id},501,x`, 'atomic'],
      [`${ada.id},500,x`, 'each'],
    ] as const) {
      const elsewhere = await apply(other, { batchId, mode });
      expect([elsewhere.status, elsewhere.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    }
  });

  it.each(['atomic', 'each'])(
    'grants nothing that the ledger refuses, and keeps no reason for it: %s',
    async (mode) => {
      const [ada, bob] = [await api.member(), await api.member()];
      await api.nova.app
        .get<Ledger>(LEDGER)
        .execute({ command: { type: 'CloseAccount', userId: bob.id }, actor: 'process' });
      const csv = `${ada.id},500,x\n${bob.id},5,y`;
      const [first, again] = [await apply(csv, { mode }), await apply(csv, { mode })];
      const reasons = await api.database.pool.query('select user_id from admin_reason where user_id = any($1)', [
        [ada.id, bob.id],
      ]);
      if (mode === 'each') {
        expect([first.status, rowsOf(first.body)]).toEqual([201, [null, 'ACCOUNT_CLOSED']]);
        expect(first.body).toMatchObject({ refused: 1, batch: { granted: 1, total: 500 } });
        expect(again.body.code).toBe('FILE_GRANTED_BEFORE');
        expect([await novaBalance(ada), reasons.rows]).toEqual([500, [{ user_id: ada.id }]]);
        return;
      }
      for (const { status, body } of [first, again]) {
        expect([status, body.code, rowsOf(body)]).toEqual([400, 'BULK_REFUSED', [null, 'ACCOUNT_CLOSED']]);
      }
      expect([await novaBalance(ada), reasons.rows]).toEqual([0, []]);
    },
  );

  it('is granted row by row where that is wanted', async () => {
    const [ada, bob] = [await api.member(), await api.member()];
    const csv = `${ada.id},500,x\nnobody@example.com,5\n${bob.id},abc\n${bob.id},3`;
    const batchId = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => apply(csv, { mode: 'each', batchId })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    for (const { body } of answers) {
      expect(rowsOf(body)).toEqual([null, 'MEMBER_NOT_FOUND', 'INVALID_AMOUNT', null]);
      expect(body).toMatchObject({ refused: 2, batch: { granted: 2, total: 503 } });
    }
    expect([await novaBalance(ada), await novaBalance(bob)]).toEqual([500, 3]);
  });

  it('is not granted a second time unless that is said, whatever was said the first time', async () => {
    const csv = `${(await api.member()).id},500`;
    expect((await apply(csv, { again: true })).status).toBe(201);
    const second = await apply(csv);
    expect([second.status, second.body.code]).toEqual([409, 'FILE_GRANTED_BEFORE']);
  });

  describe('that was interrupted once the ledger had it', () => {
    const interrupted = async (csv: string, more: { batchId: string; mode?: string; again?: boolean }) => {
      jest.spyOn(api.nova.app.get(BulkBatches), 'finish').mockRejectedValueOnce(new Error('no connection'));
      expect((await apply(csv, more)).status).toBe(500);
    };

    it.each([
      ['atomic', 'leaves'],
      ['atomic', 'leaves, with a newcomer on their address'],
      ['each', 'leaves'],
      ['each', 'leaves, with a newcomer on their address'],
    ])('is finished for those it was begun for: %s, when one of them %s', async (mode, change) => {
      const [ada, bob] = [await api.member(), await api.member({ displayName: 'Bob' })];
      const csv = `${ada.email},500,For the talk\n${bob.email},5,For the tea`;
      const batchId = randomUUID();
      await interrupted(csv, { mode, batchId });
      expect((await admin.browser.delete(`/api/admin/users/${bob.id}`)).status).toBe(200);
      const newcomer = change === 'leaves' ? undefined : await api.member({ email: bob.email });
      expect((await check(csv)).body.appliedBefore).toMatchObject({ batchId, finished: false });
      const finished = await apply(csv, { mode, batchId });
      expect([finished.status, finished.body]).toMatchObject([
        201,
        {
          batch: { granted: 2, total: 505, finished: true },
          refused: 0,
          rows: [
            { ok: true, member: { id: ada.id }, eventId: expect.any(String) },
            { ok: true, member: { id: bob.id, displayName: 'Deleted member' }, eventId: expect.any(String) },
          ],
        },
      ]);
      expect(await novaBalance(ada)).toBe(500);
      if (newcomer) expect(await novaBalance(newcomer)).toBe(0);
      const event = await admin.browser.get(`/api/admin/events/${finished.body.rows[1].eventId}`);
      expect(event.body.reason).toBe('For the tea');
      expect((await apply(csv, { mode, batchId })).body).toEqual({ ...finished.body, repeated: true });
    });

    it('is finished, although it was begun before the members of its rows were kept', async () => {
      const ada = await api.member();
      const batchId = randomUUID();
      await interrupted(`${ada.email},500`, { batchId });
      await api.database.pool.query('update bulk_grant set member_ids = null where batch_id = $1', [batchId]);
      expect((await apply(`${ada.email},500`, { batchId })).body.batch).toMatchObject({ finished: true, granted: 1 });
      expect(await novaBalance(ada)).toBe(500);
    });

    it('is finished by another admin for the one who began it', async () => {
      const [ada, other] = [await api.member(), await api.member()];
      await api.database.pool.query('update accounts set is_admin = true where id = $1', [other.id]);
      const csv = `${ada.id},500`;
      const batchId = randomUUID();
      await interrupted(csv, { batchId });
      const finished = await other.browser.post('/api/admin/bulk-grants', { csv, mode: 'atomic', batchId });
      expect([finished.status, finished.body.batch]).toMatchObject([201, { admin: { id: admin.id }, granted: 1 }]);
      expect(await novaBalance(ada)).toBe(500);
    });

    it('is the one to finish, although the file was granted before', async () => {
      const ada = await api.member();
      const csv = `${ada.email},500`;
      expect((await apply(csv)).status).toBe(201);
      const batchId = randomUUID();
      await interrupted(csv, { batchId, again: true });
      expect((await check(csv)).body.appliedBefore).toMatchObject({ batchId, finished: false });
      expect((await apply(csv, { batchId })).status).toBe(201);
      expect(await novaBalance(ada)).toBe(1_000);
      expect((await check(csv)).body.appliedBefore).toMatchObject({ finished: true });
    });
  });

  it('of five hundred rows with the longest amounts fits one append', async () => {
    const members = await Promise.all(Array.from({ length: 4 }, () => api.member()));
    const rows = Array.from({ length: 500 }, (_, n) => `${members[n % 4]?.id},999999999.99,Row ${n}`);
    const answer = await apply(rows.join('\n'));
    expect([answer.status, answer.body.batch?.granted]).toEqual([201, 500]);
    expect(await novaBalance(members[0] ?? admin)).toBe(124_999_999_998.75);
  });

  it.each([
    ['nothing', '', 'INVALID_CSV'],
    ['too many rows', 'a@b,1\n'.repeat(501), 'INVALID_CSV'],
    ['a quote that is never closed', 'a@b,"1', 'INVALID_CSV'],
    ['no text', 5, 'VALIDATION_FAILED'],
    ['more than is read', 'x'.repeat(400_001), 'VALIDATION_FAILED'],
  ])('of %s is refused in a sentence', async (_, csv, code) => {
    const answer = await check(csv);
    expect(answer.status).toBe(400);
    expect([code, expect.any(String)]).toEqual([answer.body.code, answer.body.message]);
  });

  it('may hold hostile text, which stays text', async () => {
    const ada = await api.member();
    const reason = `=HYPERLINK("http://evil")<script>alert(1)</script>`;
    const answer = await apply(`${ada.id},5,"${reason.replaceAll('"', '""')}"\n'; drop table accounts; --,5`, {
      mode: 'each',
    });
    expect(answer.body.rows[0]).toMatchObject({ reason, ok: true });
    expect(answer.body.rows[1]).toMatchObject({ code: 'MEMBER_NOT_FOUND', given: `'; drop table accounts; --` });
  });
});
