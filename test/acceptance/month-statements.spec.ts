import { parse } from 'csv-parse/sync';
import { startTestApi, type TestApi, type TestMember } from '../support/api.js';
import { grantNova, novaBalance, signInAdmin } from '../support/money.js';
import { pdfText } from '../support/pdf-text.js';

const thisMonth = (): string => new Date().toISOString().slice(0, 7);
/** The first day of the month that is so many months from this one. */
const monthAt = (months: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7);
};

describe("a member's statement of a month", () => {
  let api: TestApi;
  let admin: TestMember;
  let ada: TestMember;
  let bob: TestMember;
  let yui: TestMember;

  beforeAll(async () => {
    ({ api, admin } = await signInAdmin(startTestApi));
    ada = await api.member({ displayName: 'Ada Łącka' });
    bob = await api.member({ displayName: '=Bob, "the" Builder' });
    yui = await api.member({ displayName: '結衣' });
    await grantNova(admin, ada.id, 10_000);
    for (const [to, amount] of [
      [bob, 1_000.25],
      [yui, 2_000],
      [bob, 1_500],
    ] as const) {
      expect((await ada.browser.post('/api/gifts/send', { recipientId: to.id, amount })).status).toBe(201);
    }
  });
  afterAll(() => api?.close());

  const get = (file: string, month: string, member = ada) => member.browser.get(`/api/nova/${file}?month=${month}`);
  const pdf = async (month: string, member = ada): Promise<string> =>
    pdfText((await member.browser.bytes(`/api/nova/statement.pdf?month=${month}`)).bytes).join('\n');

  it('goes from the opening balance by the movements of each type to the closing balance', async () => {
    const { status, body } = await get('statement', thisMonth());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      month: thisMonth(),
      isOver: false,
      nova: { opening: 0, closing: 5_499.75 },
      accrued: 0,
      groups: [
        { type: 'gift_send', count: 3, amount: -4_500.25 },
        { type: 'admin_grant', count: 1, amount: 10_000 },
      ],
    });
    expect(body.nova.closing).toBe(await novaBalance(ada));
    expect(body.closing.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(body.accounts).toHaveLength(6);
    expect(body.accounts.map(({ account }: { account: string }) => account.startsWith(`user:${ada.id}:`))).toEqual(
      Array(6).fill(true),
    );
  });

  it('is a PDF with names where they can be printed, and ids where not', async () => {
    const { body } = await get('statement', thisMonth());
    const answer = await ada.browser.bytes(`/api/nova/statement.pdf?month=${thisMonth()}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="nova-statement-${thisMonth()}.pdf"`);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const text = pdfText(answer.bytes).join('\n');
    for (const words of [
      'Ada Łącka',
      'The month so far.',
      'Balance so far',
      '5,499.75',
      'Gift sent 3 movements −4,500.25',
      'Gift to =Bob, "the" Builder',
      `Gift to ${yui.id}`,
      'Added by an admin 1 movement +10,000.00',
      `up to revision ${body.closing.revision}`,
      body.closing.hash,
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('結衣');
    // Until something happens, the same bytes.
    const again = await ada.browser.bytes(`/api/nova/statement.pdf?month=${thisMonth()}`);
    expect(Buffer.compare(again.bytes, answer.bytes)).toBe(0);
  });

  it('prints whose name has no glyphs by their id', async () => {
    const text = await pdf(thisMonth(), yui);
    expect(text).toContain(yui.id);
    expect(text).toContain('Gift from Ada Łącka');
  });

  it('is CSV that a spreadsheet takes for nothing else, and that adds up', async () => {
    const { status, headers, body } = await get('statement.csv', thisMonth());
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="nova-statement-${thisMonth()}.csv"`);
    const rows = parse(body as string, { bom: true, columns: true }) as Record<string, string>[];
    expect(rows.map(({ Type, Description, Amount, Balance }) => [Type, Description, Amount, Balance])).toEqual([
      ['opening', 'Opening balance', '', '0.00'],
      ['admin_grant', 'Nova added by an admin', '10000.00', '10000.00'],
      ['gift_send', 'Gift to =Bob, "the" Builder', '-1000.25', '8999.75'],
      ['gift_send', 'Gift to 結衣', '-2000.00', '6999.75'],
      ['gift_send', 'Gift to =Bob, "the" Builder', '-1500.00', '5499.75'],
      ['accrued', 'Rewards not yet credited', '0.00', '5499.75'],
      ['closing', 'Balance so far', '', '5499.75'],
    ]);
    const { body: shown } = await get('statement', thisMonth());
    expect(rows.at(-1)).toMatchObject({
      Revision: String(shown.closing.revision),
      'Chain Hash': shown.closing.hash,
    });
  });

  it('of a month before the first movement is over and empty', async () => {
    const month = monthAt(-1);
    expect((await get('statement', month)).body).toMatchObject({
      isOver: true,
      nova: { opening: 0, closing: 0 },
      groups: [],
    });
    const text = await pdf(month);
    expect(text).toContain('The whole month.');
    expect(text).toContain('Nothing moved.');
    expect(((await get('statement.csv', month)).body as string).trimEnd().split('\r\n')).toHaveLength(4);
  });

  it.each(['statement', 'statement.csv', 'statement.pdf'])(
    'refuses %s of what is no month, or has not begun',
    async (file) => {
      for (const [query, message] of [
        [`month=${monthAt(1)}`, 'This month has not begun yet.'],
        ['month=2026-13', 'The month must be one such as 2026-01.'],
        ['month=2026-1', 'The month must be one such as 2026-01.'],
        ['month=2026-01-01', 'The month must be one such as 2026-01.'],
        ['month=%00', 'The month must be one such as 2026-01.'],
        ['month=2026-01&month=2026-02', 'The month must be one such as 2026-01.'],
        ['month[]=2026-01', undefined],
        ['', 'The month must be one such as 2026-01.'],
        [`month=${thisMonth()}&userId=${bob.id}`, undefined],
      ]) {
        const answer = await ada.browser.get(`/api/nova/${file}?${query}`);
        expect([query, answer.status]).toEqual([query, 400]);
        expect(answer.body.message).toEqual(message ?? expect.any(String));
      }
      expect((await api.browser().get(`/api/nova/${file}?month=${thisMonth()}`)).status).toBe(401);
    },
  );

  it('prints a few at once, and answers who asks for many at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => bob.browser.bytes(`/api/nova/statement.pdf?month=${thisMonth()}`)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  });
});
