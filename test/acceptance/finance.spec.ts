import { randomUUID } from 'node:crypto';
import { accountKind, Money, type Currency, type LedgerState } from '@app/domain';
import type { EventStore } from '@app/event-store';
import { readArguments, UsageError } from '../../apps/api/src/finance/cli-arguments.js';
import { printStatement } from '../../apps/api/src/finance/cli-books.js';
import { replay } from '../../apps/api/src/finance/replay.js';
import { EVENT_STORE } from '../../apps/api/src/platform/journal/injected-journal.js';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';

interface Line {
  readonly kind: string;
  readonly currency: Currency;
  readonly balance: number;
}

const kindTotals = (state: LedgerState): Record<string, number> => {
  const totals = new Map<string, bigint>();
  for (const [account, currency, balance] of state.accounts()) {
    const key = `${accountKind(account)} ${currency}`;
    totals.set(key, (totals.get(key) ?? 0n) + balance);
  }
  return Object.fromEntries(
    [...totals]
      .filter(([, total]) => total !== 0n)
      .map(([key, total]) => [key, Money.ofMinor(total, key.split(' ')[1] as Currency).toNumber()]),
  );
};

interface Entry {
  readonly account: string;
  readonly currency: string;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly revision: number;
  readonly eventId: string;
  readonly hash: string;
  readonly description: string;
  readonly createdAt: string;
}

const linesOf = (lines: readonly Line[]): Record<string, number> =>
  Object.fromEntries(lines.map(({ kind, currency, balance }) => [`${kind} ${currency}`, balance]));

const cents = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + Math.round(amount * 100), 0);

describe('finance: the books at any moment', () => {
  let api: TestApi;
  let admin: TestMember;
  let ada: TestMember;
  let bob: TestMember;
  let store: EventStore;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    store = api.nova.app.get<EventStore>(EVENT_STORE, { strict: false });
    [ada, bob] = [await api.member({ displayName: 'Ada' }), await api.member({ displayName: 'عمر "Bob" =1+1' })];
    await grantNova(admin, ada.id, 5_000);
    for (const amount of [1_000, 1_234.56, 1_000.01]) {
      await ada.browser.post('/api/gifts/send', { recipientId: bob.id, amount }, { 'idempotency-key': randomUUID() });
    }
    await grantNova(admin, bob.id, 0.25);
    await admin.browser.post(`/api/admin/users/${bob.id}/deduct-nova`, { amount: 100 });
  });
  afterAll(() => api?.close());

  const finance = (path: string) => admin.browser.get(`/api/admin/finance/${path}`);
  const ofEntries = async (query: string) => {
    const entries: Entry[] = [];
    let cursor: string | null = null;
    do {
      const page: { entries: Entry[]; nextCursor: string | null } = (
        await finance(`entries?limit=2&${query}${cursor === null ? '' : `&cursor=${cursor}`}`)
      ).body;
      entries.push(...page.entries);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return entries;
  };

  it('shows the trial balance that the events alone give, now and after every event', async () => {
    const { state, head } = await replay(store, {});
    const { status, body } = await finance('trial-balance');
    expect(status).toBe(200);
    expect(body.moment).toMatchObject({ revision: head.revision, hash: head.hash });
    expect(linesOf(body.lines)).toEqual(kindTotals(state));
    for (const currency of ['NOVA', 'INFLUENCE']) {
      expect(
        cents(body.lines.filter((line: Line) => line.currency === currency).map((line: Line) => line.balance)),
      ).toBe(0);
    }
    for (let revision = 0; revision <= head.revision; revision++) {
      const past = (await finance(`trial-balance?revision=${revision}`)).body;
      const { state: then, head: there } = await replay(store, { upTo: revision });
      expect(past.moment).toMatchObject({ revision, hash: there.hash });
      expect(linesOf(past.lines)).toEqual(kindTotals(then));
      const byTime = (await finance(`trial-balance?at=${past.moment.at}`)).body;
      expect(byTime.moment.revision).toBeGreaterThanOrEqual(revision);
      expect(byTime.moment.at).toBe(past.moment.at);
    }
    expect((await finance('trial-balance?at=2001-01-01')).body).toMatchObject({
      moment: { revision: -1, at: null, hash: '0'.repeat(64) },
      lines: [],
    });
    const today = new Date().toISOString().slice(0, 10);
    expect((await finance(`trial-balance?at=${today}`)).body.moment.revision).toBe(head.revision);
  });

  it('writes the trial balance as CSV, each row with its moment', async () => {
    for (const query of ['revision=3', 'at=2001-01-01']) {
      const { moment, lines } = (await finance(`trial-balance?${query}`)).body;
      const { headers, body } = await finance(`trial-balance.csv?${query}`);
      expect(headers.get('content-disposition')).toContain(`"nova-trial-balance-${moment.revision}.csv"`);
      const [header, ...rows] = (body as string).replace('\ufeff', '').trimEnd().split('\r\n');
      expect(header).toBe('Account Kind,Currency,Balance,Revision,Date,Hash');
      expect(rows).toEqual(
        (lines as Line[]).map(({ kind, currency, balance }) =>
          [kind, currency, balance.toFixed(2), moment.revision, moment.at, moment.hash].join(','),
        ),
      );
    }
  });

  it('leads from a total to its accounts, to their entries, to the event with its hash', async () => {
    const { body: books } = await finance('trial-balance');
    const { revision } = books.moment;
    for (const { kind, currency, balance } of books.lines as Line[]) {
      const { status, body } = await finance(`accounts?kind=${kind}&revision=${revision}&limit=100`);
      expect(status).toBe(200);
      const own = body.accounts.filter((account: Line) => account.currency === currency);
      expect([kind, cents(own.map((account: Line) => account.balance))]).toEqual([kind, cents([balance])]);
      for (const account of own as { account: string; balance: number }[]) {
        const entries = await ofEntries(`account=${account.account}&revision=${revision}`);
        expect(cents(entries.map(({ amount }) => amount))).toBe(cents([account.balance]));
        expect(entries[0]?.balanceAfter).toBe(account.balance);
        const [entry] = entries;
        const event = (await admin.browser.get(`/api/admin/events/${entry?.eventId}`)).body;
        expect(event).toMatchObject({ hash: entry?.hash, revision: entry?.revision, description: entry?.description });
        expect(event.entries).toContainEqual({ account: account.account, currency, amount: entry?.amount });
        expect((await admin.browser.get(`/api/admin/events/${entry?.revision}`)).body.eventId).toBe(entry?.eventId);
      }
    }
  });

  it('pages through accounts by name, with the members they belong to', async () => {
    const first = (await finance('accounts?kind=user:earned&limit=1')).body;
    expect(first.accounts).toHaveLength(1);
    const second = (await finance(`accounts?kind=user:earned&limit=1&cursor=${first.nextCursor}`)).body;
    expect(second.nextCursor).toBeNull();
    const names = [...first.accounts, ...second.accounts].map(({ owner }) => owner.displayName);
    expect(new Set(names)).toEqual(new Set(['Ada', bob.displayName]));
    expect((await finance('accounts?kind=treasury')).body.accounts).toMatchObject([
      { account: 'treasury', owner: null },
    ]);
    expect((await finance('accounts?kind=pool:karma')).body.accounts).toEqual([]);
  });

  it("gives a member's statement whose balances add up, of any period", async () => {
    const { body: whole } = await finance(`members/${bob.id}/statement`);
    expect(whole.member).toEqual({ id: bob.id, displayName: bob.displayName, email: bob.email });
    expect(whole.nova).toEqual({ opening: 0, closing: await novaBalance(bob) });
    expect(whole.lines).toHaveLength(6);
    for (const which of ['opening', 'closing'] as const) {
      const spendable = whole.lines.filter(({ account }: Entry) => /:(?:purchased|earned)$/.test(account));
      expect(cents([...spendable.map((line: Record<string, number>) => line[which]), whole.owed[which]])).toBe(
        cents([whole.nova[which]]),
      );
    }
    const entries = await ofEntries(`userId=${bob.id}`);
    for (const line of whole.lines) {
      expect(cents([line.opening, line.in, line.out])).toBe(cents([line.closing]));
      const own = entries.filter(({ account }) => account === line.account).map(({ amount }) => amount);
      expect(cents(own)).toBe(cents([line.closing]));
      expect(cents(own.filter((amount) => amount > 0))).toBe(cents([line.in]));
    }
    const middle = entries[2]?.createdAt ?? '';
    const { body: before } = await finance(`members/${bob.id}/statement?to=${middle}`);
    const next = new Date(Date.parse(middle) + 1).toISOString();
    const { body: after } = await finance(`members/${bob.id}/statement?from=${next}`);
    expect(after.opening).toEqual(before.closing);
    expect(after.nova).toEqual({ opening: before.nova.closing, closing: whole.nova.closing });
    expect(after.lines.map((line: { opening: number }) => line.opening)).toEqual(
      before.lines.map((line: { closing: number }) => line.closing),
    );
    const { body: future } = await finance(`members/${bob.id}/statement?from=2200-01-01`);
    expect(future.nova).toEqual({ opening: whole.nova.closing, closing: whole.nova.closing });
    expect(future.lines.every((line: { in: number; out: number }) => line.in === 0 && line.out === 0)).toBe(true);
  });

  it('writes the statement as CSV, from opening to closing balances', async () => {
    const { status, headers, body } = await finance(`members/${bob.id}/statement.csv`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('content-disposition')).toContain(`nova-statement-${bob.id}.csv`);
    const rows = (body as string)
      .replace('\ufeff', '')
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(','));
    expect(rows[0]).toEqual(['Date', 'Account', 'Currency', 'What', 'Amount', 'Balance After', 'Revision']);
    const earned = rows.filter(([, account]) => account === `user:${bob.id}:earned`);
    expect(earned[0]?.slice(2)).toEqual(['NOVA', 'Opening balance', '', '0.00', '']);
    expect(earned.slice(1, -1).map(([, , , what]) => what)).toEqual([
      'GiftSent',
      'GiftSent',
      'GiftSent',
      'NovaGranted',
      'NovaDeducted',
    ]);
    expect(earned.at(-1)?.[3]).toBe('Closing balance');
    expect(earned.at(-1)?.[5]).toBe(earned.at(-2)?.[5]);
    const entries = await ofEntries(`account=user:${bob.id}:earned`);
    expect(earned.at(-1)?.[5]).toBe(entries[0]?.balanceAfter.toFixed(2));
    const { owed } = (await finance(`members/${bob.id}/statement`)).body;
    expect(rows.filter(([, account]) => account === 'owed').map(([, , ...cells]) => cells.slice(0, 4))).toEqual([
      ['NOVA', 'Opening balance', '', '0.00'],
      ['NOVA', 'Closing balance', '', owed.closing.toFixed(2)],
    ]);
  });

  it('names a file by the period that it holds', async () => {
    const nameOf = async (period: string) =>
      /"(.+)"/.exec(
        (await finance(`members/${bob.id}/statement.csv?${period}`)).headers.get('content-disposition') ?? '',
      )?.[1];
    expect(await nameOf('from=2026-01-01T12:30:00.000Z')).toBe(
      `nova-statement-${bob.id}-from-2026-01-01T123000.000Z.csv`,
    );
    expect(await nameOf('from=&to=2099-01-31')).toBe(`nova-statement-${bob.id}-to-2099-01-31.csv`);
  });

  it('prints the statement of a member in the terminal, and knows whom nobody knows', async () => {
    const print = async (...argv: string[]): Promise<string> => {
      let text = '';
      await printStatement({ store, pool: api.database.pool }, readArguments(['statement', ...argv]), (piece) => {
        text += piece;
        return Promise.resolve();
      });
      return text;
    };
    expect(await print(ada.email)).toContain(`user:${ada.id}:earned`);
    expect(await print((await api.member()).id)).toMatch(/^Nova balance\s+0\.00\s+0\.00/m);
    for (const nobody of ['no-such-id', randomUUID()]) await expect(print(nobody)).rejects.toThrow(UsageError);
  });

  it.each(['hledger', 'beancount', 'csv', 'jsonl'])('streams the journal as %s', async (format) => {
    const { head } = await replay(store, {});
    const { status, headers, body } = await finance(`export?format=${format}`);
    expect(status).toBe(200);
    expect(headers.get('x-first-revision')).toBe('0');
    expect(headers.get('x-last-revision')).toBe(String(head.revision));
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="nova-journal-\d{4}-\d\d-\d\d\.\w+"$/);
    expect(String(body)).toContain(head.hash);
    expect(String(body)).not.toContain('Bob');
    const { headers: none } = await finance(`export?format=${format}&from=2001-01-01&to=2001-12-31`);
    expect(none.get('content-disposition')).toContain('"nova-journal-from-2001-01-01-to-2001-12-31.');
    expect([none.get('x-first-revision'), none.get('x-last-revision')]).toEqual(['0', '-1']);
  });

  it.each([
    ['trial-balance?at=yesterday', 400, 'INVALID_DATE'],
    ['trial-balance?at=2026-02-30', 400, 'INVALID_DATE'],
    ['trial-balance?revision=-1', 400, 'INVALID_REVISION'],
    ['trial-balance?revision=1.5', 400, 'INVALID_REVISION'],
    ['trial-balance?revision=1e99', 400, 'INVALID_REVISION'],
    ['trial-balance?revision=999999', 404, 'NOT_FOUND'],
    ['trial-balance?revision=1&at=2026-01-01', 400, 'INVALID_MOMENT'],
    ['trial-balance?more=1', 400, undefined],
    ['accounts', 400, 'INVALID_KIND'],
    ['accounts?kind=user', 400, 'INVALID_KIND'],
    ['accounts?kind=chat&limit=0', 400, undefined],
    ["accounts?kind=chat&cursor=';drop", 400, 'INVALID_CURSOR'],
    ['accounts?kind=chat&cursor=%00', 400, 'INVALID_CURSOR'],
    ['accounts?kind=chat&cursor=abc', 200, undefined],
    [`accounts?kind=chat&cursor=${'x'.repeat(65)}`, 400, 'INVALID_CURSOR'],
    ['entries', 400, 'INVALID_ACCOUNT'],
    ["entries?account=user:x':earned", 400, 'INVALID_ACCOUNT'],
    ['entries?account=treasury&account=treasury', 400, 'INVALID_ACCOUNT'],
    ['entries?account=treasury&userId=0190a000-0000-7000-8000-000000000000', 400, 'INVALID_ACCOUNT'],
    ['entries?userId=somebody', 400, 'INVALID_USER'],
    ['entries?account=treasury&cursor=1', 400, 'INVALID_CURSOR'],
    ['entries?account=treasury&cursor=999999999999999-99', 200, undefined],
    ['entries?account=treasury&to=2026-01-01&revision=1', 400, 'INVALID_MOMENT'],
    ['entries?account=treasury&from=2026-02-01&to=2026-01-01', 400, 'INVALID_DATE'],
    ['members/somebody/statement', 404, 'NOT_FOUND'],
    ['members/0190a000-0000-7000-8000-000000000000/statement', 404, 'NOT_FOUND'],
    ['members/0190a000-0000-7000-8000-000000000000/statement.csv', 404, 'NOT_FOUND'],
    ['export', 400, 'INVALID_FORMAT'],
    ['export?format=pdf', 400, 'INVALID_FORMAT'],
    ['export?format=csv&from=2026-02-01&to=2026-01-01', 400, 'INVALID_DATE'],
    ['export?format=postings&accounts=', 200, undefined],
    ['export?format=postings&accounts=assets:bank,1200', 400, 'INVALID_ACCOUNTS'],
    ['export?format=postings&accounts=a&accounts=b', 400, 'INVALID_ACCOUNTS'],
    ['export?format=hledger&accounts=assets:bank,1200', 400, 'INVALID_ACCOUNTS'],
  ])('answers %s with %i', async (path, status, code) => {
    const answer = await finance(path);
    expect([path, answer.status, status === 200 ? undefined : answer.body.code]).toEqual([
      path,
      status,
      code ?? (status === 200 ? undefined : answer.body.code),
    ]);
    if (status !== 200) expect(answer.body.message).toMatch(/^[A-Z].*\.$/);
  });
});
