import { createTestDatabase, type TestDatabase } from '../../../../test/support/postgres.js';
import { textCellSql } from './csv.js';

describe('a cell of CSV for spreadsheets', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('csv');
  });
  afterAll(() => database?.drop());

  const cell = async (text: string): Promise<string | undefined> => {
    const { rows } = await database.pool.query<{ cell: string }>(`select ${textCellSql('$1::text')} as cell`, [text]);
    return rows[0]?.cell;
  };

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u2003=1',
    '\ufeff=1',
    '＝1',
    "=cmd|' /C calc'!A0",
  ])('keeps %j from being a formula', async (text) => expect(await cell(text)).toBe(`"'${text}"`));

  it.each([
    '0012345',
    '7',
    '12/11',
    '1-2',
    '1e5',
    '1.000,5',
    '12:30',
    '3 pm',
    '3 Mar',
    'May 2024',
    'mar-1',
    'TRUE',
    ' 5 ',
    '50%',
  ])('keeps %j as it was typed', async (text) => expect(await cell(text)).toBe(`"'${text}"`));

  it.each([
    'Ada',
    'a=b',
    'z',
    '[1]',
    '_x',
    'Ädä',
    '7up',
    '1a@b.example',
    'May',
    'Marta',
    'Truely',
    'Julia 2',
    "O'Hara",
    '',
    'x-y@z',
    'one, two',
    'two\nlines',
  ])('leaves %j as it is', async (text) => expect(await cell(text)).toBe(`"${text}"`));

  it('doubles quotes', async () => {
    expect(await cell('Ada "the first"')).toBe('"Ada ""the first"""');
  });
});
