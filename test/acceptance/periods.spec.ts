import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DailyClosing } from '../../apps/api/src/finance/periods/daily-closing.js';
import { verify } from '../../apps/api/src/finance/verify.js';
import { JOURNAL } from '../../apps/api/src/platform/journal/injected-journal.js';
import type { Journal } from '../../apps/api/src/platform/journal/journal.js';
import { JournalKeys, trustText } from '../../apps/api/src/platform/ledger/journal-keys.js';
import { startTestApi, type TestAnswer, type TestApi, type TestMember } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { awayFromMidnight } from '../support/midnight.js';
import { grantNova, signInAdmin } from '../support/money.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { signNewJournal } from '../support/signed.js';

const SCRIPT = path.join(__dirname, '../../scripts/verify-receipt.mjs');

interface Receipt {
  event: Record<string, unknown>;
  entries: Record<string, string>[];
  proof: { index: number; size: number; path: string[] };
  period: Record<string, unknown>;
  signature?: Record<string, unknown>;
}

describe('closed periods and the receipts that rest on them', () => {
  let api: TestApi;
  let admin: TestMember;
  let folder: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'nova-receipts-'));
    database = await createTestDatabase('periods');
    await signNewJournal(database, folder);
    ({ api, admin } = await signInAdmin(({ environment }) =>
      startTestApi({ database, environment: { ...environment, NOVA_DATA_DIR: folder } }),
    ));
  });
  afterAll(async () => {
    await api?.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const newest = async (member: TestMember): Promise<{ id: string; createdAt: string }> =>
    (await member.browser.get('/api/nova/transactions?limit=1')).body.transactions[0];
  /** Closes the books at the time of a member's last event, which is over a millisecond later. */
  const closeAfter = async (member: TestMember, more: object = {}): Promise<TestAnswer> => {
    const { createdAt } = await newest(member);
    return eventually(
      () => admin.browser.post('/api/admin/periods', { endsAt: createdAt, ...more }),
      ({ body }) => body.code !== 'PERIOD_NOT_OVER',
    );
  };
  const receiptOf = async (member: TestMember): Promise<TestAnswer> =>
    member.browser.get(`/api/nova/transactions/${(await newest(member)).id}/receipt`);
  const check = (receipt: unknown, ...options: string[]) => {
    const file = path.join(folder, 'receipt.json');
    writeFileSync(file, typeof receipt === 'string' ? receipt : JSON.stringify(receipt));
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, file, ...options], { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };

  it('are closed by an admin, listed, audited, and part of what verify checks', async () => {
    const ada = await api.member();
    await grantNova(admin, ada.id, 500);
    const { createdAt } = await newest(ada);
    const closed = await closeAfter(ada, { reason: 'End of the trial' });
    expect(closed.status).toBe(201);
    expect(closed.body).toMatchObject({
      number: 1,
      endsAt: createdAt,
      firstRevision: 0,
      actor: 'admin',
      closedBy: 'Rhea',
      totals: [
        { kind: 'user:earned', currency: 'NOVA', amount: 500 },
        { kind: 'issuance', currency: 'NOVA', amount: -500 },
      ],
      previousSeal: '0'.repeat(64),
    });
    expect((await closeAfter(ada, { reason: 'End of the trial' })).body).toEqual(closed.body);
    expect((await admin.browser.get('/api/admin/periods/1')).body).toEqual(closed.body);
    expect((await admin.browser.get('/api/admin/periods')).body).toEqual({
      periods: [closed.body],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    });
    const audit = (await admin.browser.get('/api/admin/audit?action=BooksClosed')).body.entries;
    expect(audit).toHaveLength(1);
    expect(audit[0]).toMatchObject({ targetId: 'period-1', targetName: null, reason: 'End of the trial' });
    const { store } = api.nova.app.get<Journal>(JOURNAL);
    const { pool, url: connectionString } = api.database;
    const findings = [];
    const snapshotSigning = new JournalKeys(path.join(folder, 'journal')).snapshotSigning();
    for await (const finding of verify({ store, pool, connectionString, snapshotSigning })) findings.push(finding);
    expect(findings.flatMap(({ breaches }) => breaches)).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ what: 'Closed periods', detail: expect.stringMatching(/^1 periods/) }),
    );
  });

  it.each([
    ['no time', { endsAt: 'yesterday' }, 400, 'VALIDATION_FAILED'],
    ['no day of the calendar', { endsAt: '2026-02-31T00:00:00Z' }, 400, 'VALIDATION_FAILED'],
    ['a number', { endsAt: 5 }, 400, 'VALIDATION_FAILED'],
    ['nothing', { endsAt: '' }, 400, 'VALIDATION_FAILED'],
    ['a week', { endsAt: '2026-W05' }, 400, 'VALIDATION_FAILED'],
    ['a day of the year', { endsAt: '2026-031' }, 400, 'VALIDATION_FAILED'],
    ['a day without hyphens', { endsAt: '20260131' }, 400, 'VALIDATION_FAILED'],
    ['an hour', { endsAt: '2026-01-31T12' }, 400, 'VALIDATION_FAILED'],
    ['a time of no zone', { endsAt: '2026-01-31T12:00:00' }, 400, 'VALIDATION_FAILED'],
    ['a time to come', { endsAt: '2999-01-01T00:00:00Z' }, 409, 'PERIOD_NOT_OVER'],
    ['a time before the last close', { endsAt: '2001-01-01T00:00:00Z' }, 409, 'PERIOD_CLOSED'],
  ])('are not closed at %s', async (_, body, status, code) => {
    const answer = await admin.browser.post('/api/admin/periods', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('are not closed at a day that is not over', async () => {
    await awayFromMidnight();
    const answer = await admin.browser.post('/api/admin/periods', { endsAt: new Date().toISOString().slice(0, 10) });
    expect([answer.status, answer.body.code]).toEqual([409, 'PERIOD_NOT_OVER']);
  });

  it.each(['0', '-1', '999', 'x', '1e1', '9'.repeat(40)])('have no number %s', async (number) => {
    expect((await admin.browser.get(`/api/admin/periods/${number}`)).status).toBe(404);
  });

  it('are published for everybody, without what blinds the receipts', async () => {
    const { status, body } = await api.browser().get('/api/ledger/periods?limit=1');
    expect(status).toBe(200);
    expect(Object.keys(body.periods[0]).toSorted()).toEqual(
      [
        'number',
        'endsAt',
        'firstRevision',
        'lastRevision',
        'chainHash',
        'root',
        'totalsHash',
        'previousSeal',
        'seal',
      ].toSorted(),
    );
    expect((await api.browser().get('/api/ledger/periods?before=0')).status).toBe(400);
    expect((await api.browser().get('/api/ledger/periods?before=1')).body).toEqual({ periods: [], nextBefore: null });
  });

  describe('a receipt', () => {
    let ada: TestMember;
    let bob: TestMember;
    let receipt: Receipt;
    let published: { periods: { seal: string; root: string }[] };

    beforeAll(async () => {
      [ada, bob] = [await api.member(), await api.member()];
      await grantNova(admin, ada.id, 5_000);
      for (let n = 0; n < 7; n++) await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount: 1_000 + n });
      expect((await receiptOf(ada)).body.code).toBe('PERIOD_OPEN');
      expect((await closeAfter(ada)).status).toBe(201);
      const answer = await receiptOf(ada);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="nova-receipt-\d+\.json"$/);
      receipt = answer.body;
      published = (await api.browser().get('/api/ledger/periods')).body;
    });

    it('is proved without the server, and against what was published', () => {
      const { seal, root } = published.periods[0] ?? {};
      const alone = check(receipt);
      expect(alone).toEqual({ status: 0, said: expect.stringContaining('The receipt is sound: GiftSent') });
      expect(alone.said).toContain('Compare it with one from somewhere else');
      for (const options of [
        ['--seal', seal ?? ''],
        ['--root', root ?? ''],
      ]) {
        expect(check(receipt, ...options)).toEqual({
          status: 0,
          said: expect.stringContaining('the one that you knew'),
        });
      }
      const file = path.join(folder, 'periods.json');
      writeFileSync(file, JSON.stringify(published));
      expect(check(receipt, '--periods', file).status).toBe(0);
    });

    it('is signed by whoever signs the journal', () => {
      const trust = new JournalKeys(path.join(folder, 'journal')).trust()?.map(trustText).join(',') ?? '';
      expect(check(receipt, '--trust', trust).said).toContain('It is by a key that you knew.');
      expect(check(receipt).said).toMatch(/Signed for the journal [0-9a-f]{32} by the key [0-9a-f]{16}\./);
      expect(check(receipt, '--trust', trust.replace(/:./, ':x')).said).toContain('by a key that you did not name');
      const { signature, ...unsigned } = receipt;
      expect(check(unsigned).status).toBe(0);
      expect(check(unsigned, '--trust', trust).said).toContain('The receipt is not signed');
      const flipped = { ...signature, journal: '0'.repeat(32) };
      expect(check({ ...receipt, signature: flipped }).said).toContain('The signature is not that of the key');
    });

    it('shows the member’s own side, and nothing of others', () => {
      const text = JSON.stringify(receipt);
      expect(text).toContain(ada.id);
      expect(text).not.toContain(bob.id);
      expect(text).not.toContain(admin.id);
      expect(receipt.entries).toContainEqual({ hidden: expect.stringMatching(/^[0-9a-f]{64}$/) });
    });

    it('can be had by both sides of a gift, and proves the same event', async () => {
      const other: Receipt = (await receiptOf(bob)).body;
      expect(other.event).toEqual(receipt.event);
      expect(check(other).status).toBe(0);
      expect(JSON.stringify(other)).not.toContain(ada.id);
    });

    const changed = (change: (copy: Receipt) => void): Receipt => {
      const copy = structuredClone(receipt);
      change(copy);
      return copy;
    };
    const own = (copy: Receipt) => copy.entries.find(({ account }) => account?.includes(ada.id)) ?? {};

    it.each<[string, (copy: Receipt) => void, string]>([
      ['another amount', (copy) => (own(copy)['minorUnits'] = '-100'), 'does not lead to the root'],
      ['another account', (copy) => (own(copy)['account'] = 'treasury'), 'does not lead to the root'],
      ['another time', (copy) => (copy.event['at'] = '2020-01-01T00:00:00.000Z'), 'does not lead to the root'],
      ['another type', (copy) => (copy.event['type'] = 'NovaGranted'), 'does not lead to the root'],
      ['an entry left out', (copy) => copy.entries.pop(), 'does not lead to the root'],
      ['another id', (copy) => (copy.event['id'] = `${String(copy.event['id']).slice(0, -1)}x`), 'The id is not that'],
      ['another place', (copy) => (copy.proof.index += 1), 'is not at place'],
      ['another size', (copy) => (copy.proof.size += 1), 'The size is not that of the period'],
      ['a path cut short', (copy) => copy.proof.path.pop(), 'The path is shorter'],
      ['a longer path', (copy) => copy.proof.path.push('0'.repeat(64), '0'.repeat(64)), 'The path is longer'],
      ['another root', (copy) => (copy.period['root'] = '0'.repeat(64)), 'The seal does not fit'],
      ['another seal', (copy) => (copy.period['seal'] = '0'.repeat(64)), 'The seal does not fit'],
      ['no proof', (copy) => Object.assign(copy, { proof: null }), 'The receipt has no proof'],
      ['text for a number', (copy) => Object.assign(copy.event, { revision: '1' }), 'The revision is no whole number'],
    ])('with %s proves nothing, and the script says why', (_, change, sentence) => {
      expect(check(changed(change))).toEqual({ status: 1, said: expect.stringContaining(sentence) });
    });

    it('proves nothing against another seal, root or list', () => {
      for (const option of ['--seal', '--root']) {
        expect(check(receipt, option, '0'.repeat(64))).toEqual({
          status: 1,
          said: expect.stringContaining('not the one'),
        });
      }
      const file = path.join(folder, 'others.json');
      writeFileSync(file, '[]');
      expect(check(receipt, '--periods', file).said).toMatch(/has no period/);
      for (const odd of ['', 'null', '[]', '{}', '"x"']) {
        expect(check(odd)).toEqual({ status: 1, said: expect.stringMatching(/^NOT PROVEN: .*\.\n$/) });
      }
    });

    it('is nobody else’s to have', async () => {
      const { id: rowId } = await newest(ada);
      const stranger = await api.member();
      for (const id of [rowId, String(receipt.event['id'])]) {
        expect((await stranger.browser.get(`/api/nova/transactions/${id}/receipt`)).status).toBe(404);
        expect((await api.browser().get(`/api/nova/transactions/${id}/receipt`)).status).toBe(401);
      }
      expect((await ada.browser.get('/api/nova/transactions/accrued/receipt')).status).toBe(404);
    });
  });

  it('are not closed by the daily job on a day that is not over', async () => {
    const before = (await admin.browser.get('/api/admin/periods')).body.pagination.total;
    await api.nova.app.get(DailyClosing).closeUntilToday();
    expect((await admin.browser.get('/api/admin/periods')).body.pagination.total).toBe(before);
  });
});
