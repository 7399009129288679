import { csvWriter, textCell } from './csv.js';

async function write(columns: string[], rows: string[][]): Promise<string> {
  const writer = csvWriter(columns);
  for (const row of rows) writer.write(row);
  writer.end();
  let text = '';
  for await (const chunk of writer) text += String(chunk);
  return text;
}

describe('CSV for spreadsheets', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '＝1', "=cmd|' /C calc'!A0"])(
    'keeps %j from being a formula',
    (text) => expect(textCell(text)).toBe(`'${text}`),
  );

  it.each(['Ada', 'a=b', "O'Hara", '', 'x-y@z'])('leaves %j as it is', (text) => expect(textCell(text)).toBe(text));

  it('is RFC 4180 with a byte order mark', async () => {
    const text = await write(
      ['name', 'amount'],
      [
        ['Ada "the first", Countess', '-12.50'],
        ['two\nlines', '3.00'],
        ['', '0.00'],
      ],
    );
    expect(text).toBe('\ufeffname,amount\r\n"Ada ""the first"", Countess",-12.50\r\n"two\nlines",3.00\r\n,0.00\r\n');
  });

  it('has its header line without any row', async () => {
    expect(await write(['name'], [])).toBe('\ufeffname\r\n');
  });
});
