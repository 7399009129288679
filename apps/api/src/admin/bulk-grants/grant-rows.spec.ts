import { BrokenCsv, readCsv } from './csv-rows.js';
import { grantsFingerprint, readGrantRows } from './grant-rows.js';

const cells = (text: string) => readCsv(text).rows.map((row) => row.cells);

describe('a CSV file as people make it', () => {
  it.each([
    [
      'commas',
      'a,1,x\nb,2,y',
      [
        ['a', '1', 'x'],
        ['b', '2', 'y'],
      ],
    ],
    [
      'a byte order mark and Windows line ends',
      '\ufeffa,1\r\nb,2\r\n',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    ['semicolons', 'a;1,5;x', [['a', '1,5', 'x']]],
    ['tabs, as pasted from a spreadsheet', 'a\t1\tx\r\n', [['a', '1', 'x']]],
    [
      'quotes around commas, quotes and line breaks',
      '"a","1,250","say ""hi""\r\nthere"',
      [['a', '1,250', 'say "hi"\nthere']],
    ],
    ['empty lines', '\n\na,1\n , \n\n', [['a', '1']]],
    ['nothing', '', []],
    ['a line that names semicolons', 'sep=;\r\na,b;1\r\n', [['a,b', '1']]],
    ['a line that names commas, quoted', '\ufeff"sep=,"\na,1;2\n', [['a', '1;2']]],
    ['a line that names tabs and nothing else', 'sep=\t', []],
    ['an empty last cell', 'a,1,', [['a', '1', '']]],
    [
      'old Macintosh line ends',
      'a,1\rb,2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
  ])('with %s is read', (_, text, expected) => expect(cells(text)).toEqual(expected));

  it('tells on which line a row begins', () => {
    expect(readCsv('a,"x\ny"\n\nb,2').rows.map(({ line }) => line)).toEqual([1, 4]);
    expect(readCsv('sep=;\r\na;"x\r\ny"\r\n\r\nb;2').rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  it.each(['"a,1', 'a,"b', '"a"b,1', 'x,1\n"', 'a "b" c,1', 'sep=,\na,"b'])(
    '%j has quotes that do not fit, and says where',
    (text) => {
      expect(() => readCsv(text)).toThrow(BrokenCsv);
      expect(() => readCsv(text)).toThrow(/^Line \d: /);
    },
  );
});

describe('rows of grants', () => {
  const problem = (row: string) => readGrantRows(row)[0]?.problem?.code;

  it('are an address or id, an amount and a reason; names of columns are left out', () => {
    expect(readGrantRows('Email,Amount,Reason\n ada@example.com , "1,250.5" , Thank you ')).toEqual([
      { line: 2, member: 'ada@example.com', amount: 125_050n, reason: 'Thank you', problem: undefined },
    ]);
  });

  it.each([
    ['ada@example.com,5,', undefined],
    ['ada@example.com,5', undefined],
    ['ada@example.com', 'INVALID_AMOUNT'],
    ['ada@example.com,0', 'INVALID_AMOUNT'],
    ['ada@example.com,-5', 'INVALID_AMOUNT'],
    ['ada@example.com,1.234', 'INVALID_AMOUNT'],
    ['ada@example.com,1e3', 'INVALID_AMOUNT'],
    ['ada@example.com,=1+1', 'INVALID_AMOUNT'],
    ['ada@example.com,"1,000,000,000"', undefined],
    ['ada@example.com,1000000000.01', 'INVALID_AMOUNT'],
    ['ada@example.com,"1,25"', 'INVALID_AMOUNT'],
    [`ada@example.com,${'9'.repeat(100_000)}`, 'INVALID_AMOUNT'],
    [',5', 'INVALID_MEMBER'],
    ['a\u0000b,5', 'INVALID_MEMBER'],
    [`${'x'.repeat(100_000)},5`, 'INVALID_MEMBER'],
    [`ada@example.com,5,${'x'.repeat(501)}`, 'INVALID_REASON'],
    ['ada@example.com,5,a\u0007b', 'INVALID_REASON'],
    ['ada@example.com,5,one,two', 'INVALID_ROW'],
    ['ada@example.com;1,500;x', 'AMBIGUOUS_AMOUNT'],
    ['ada@example.com;"1,500.00";x', 'AMBIGUOUS_AMOUNT'],
    ['ada@example.com\t1,50\tx', 'AMBIGUOUS_AMOUNT'],
    ['ada@example.com;1500.50;one, two', undefined],
    ['sep=;\nada@example.com;1500;x', undefined],
  ])('%.60s', (row, code) => expect(problem(row)).toBe(code));

  it('show little of a cell that is far too long', () => {
    expect(readGrantRows(`${'x'.repeat(100_000)},5`)[0]?.member).toHaveLength(81);
  });

  it.each([
    ['', /There are no rows/],
    ['email,amount\n', /below the names/],
    ['a@b,1\n'.repeat(501), /501 rows\. At most 500/],
  ])('%.20j cannot be', (csv, sentence) => expect(() => readGrantRows(csv)).toThrow(sentence));

  it('are the same file however it is quoted, and another one when it asks for something else', () => {
    const of = (csv: string) => grantsFingerprint(readGrantRows(csv));
    expect(of('a@b,1250,x')).toBe(of('\ufeffemail;amount;reason\r\nA@b;"1250.00";"x"\r\n'));
    expect(of('a@b,1250,x')).not.toBe(of('a@b,1250,y'));
    expect(of('a@b,1250,x')).not.toBe(of('a@b,1251,x'));
  });
});
