import { pdfText } from '../../../../../test/support/pdf-text.js';
import { printStatement } from './print-statement.js';
import type { NamedText, PrintedRow, PrintedStatement } from './printed-statement.js';

const ID = '0190a000-0000-7000-8000-000000000000';
const text = (withNames: string, withIds = withNames): NamedText => ({ withNames, withIds });
const row = (description: NamedText, amount = '−1,250.50'): PrintedRow => ({
  date: '2026-11-02 09:05',
  description,
  amount,
});

const statement = (given: Partial<PrintedStatement> = {}): PrintedStatement => ({
  month: 'November 2026',
  member: text('Łukasz Żółć'),
  period: 'The whole month.',
  opening: '12,500.00',
  change: '−1,250.50',
  closing: '11,249.50',
  closingLabel: 'Closing balance',
  groups: [{ label: 'Gift sent', count: '1 movement', amount: '−1,250.50', rows: [row(text('Gift to Ada'))] }],
  note: null,
  accounts: [{ label: 'Karma', opening: '1', in: '2', out: '0', closing: '3' }],
  revision: '123456',
  hash: 'ab'.repeat(32),
  date: Date.UTC(2026, 10, 30, 12),
  ...given,
});

const pagesOf = async (given: Partial<PrintedStatement>): Promise<string[]> =>
  pdfText(await printStatement(statement(given)));

test('a statement has its month, member, balances, groups, accounts, revision and hash', async () => {
  const pages = await pagesOf({});
  expect(pages).toHaveLength(1);
  for (const words of [
    'Statement for November 2026',
    'Łukasz Żółć',
    'The whole month.',
    'Opening balance',
    '12,500.00',
    '11,249.50',
    'Gift sent',
    '1 movement',
    '2026-11-02 09:05',
    'Gift to Ada',
    '−1,250.50',
    'Karma',
    'up to revision 123456',
    'ab'.repeat(32),
    'Page 1 of 1',
  ]) {
    expect(pages[0]).toContain(words);
  }
});

test('the same statement has the same bytes', async () => {
  expect(await printStatement(statement())).toEqual(await printStatement(statement()));
});

test.each(['Мария', 'Ελένη', 'Nguyễn Thị Ánh', 'Zoë–O’Neil & Söhne'])('the name %s has its glyphs', async (name) => {
  const [page = ''] = await pagesOf({ member: text(name, ID) });
  expect(page.normalize()).toContain(name);
  expect(page).not.toContain(ID);
});

test.each(['艾达', 'عادل', 'Ada 🚀', 'a\u0000b', 'a\u202Eb'])('instead of the name %j there is an id', async (name) => {
  const rows = [row(text(`Gift to ${name}`, `Gift to ${ID}`))];
  const groups = [{ label: 'Gift sent', count: '1 movement', amount: '−1,250.50', rows }];
  const [page = ''] = await pagesOf({ member: text(name, `I am ${ID}`), groups });
  expect(page).toContain(`I am ${ID}`);
  expect(page).toContain(`Gift to ${ID}`);
  expect(page).not.toContain(name);
});

test('a long month has pages, each with the name of its group, and lists every movement', async () => {
  const rows = Array.from({ length: 200 }, (_, index) => row(text(`Gift to member ${index}.`)));
  const pages = await pagesOf({ groups: [{ label: 'Gift sent', count: '200 movements', amount: '−1.00', rows }] });
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages.slice(0, 4)) expect(page).toContain('Gift sent');
  for (const index of rows.keys()) expect(pages.join(' ')).toContain(`Gift to member ${index}.`);
  expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`);
});

test('a name as long as it likes wraps, and hides no movement after it', async () => {
  const rows = [row(text(`Gift to ${'W'.repeat(300)}`)), row(text('Gift to Bob'))];
  const [page = ''] = await pagesOf({ groups: [{ label: 'Gift sent', count: '2', amount: '0.00', rows }] });
  expect(page.match(/W/g)).toHaveLength(300);
  expect(page).toContain('Gift to Bob');
});

test('what is not listed is said', async () => {
  const [page] = await pagesOf({ groups: [], note: 'The movements are too many.' });
  expect(page).toContain('Nothing moved.');
  expect(page).toContain('The movements are too many.');
});
