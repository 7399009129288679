import { CsvError, parse } from 'csv-parse/sync';

/** A line of a CSV file: where it begins, and its cells. */
export interface CsvRow {
  /** The line of the file, from 1; quoted cells may hold several. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type Delimiter = ',' | ';' | '\t';

export interface CsvFile {
  readonly delimiter: Delimiter;
  readonly rows: readonly CsvRow[];
}

/** A fault of the whole file, in a sentence. */
export class BrokenCsv extends Error {
  override readonly name = 'BrokenCsv';
}

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t'];
/** Spreadsheets write it above the table. */
const SEPARATOR_LINE = /^\ufeff?"?sep=([,;\t])"?(?:\r\n|\r|\n|$)/i;

const FAULTS: Readonly<Partial<Record<CsvError['code'], string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark is opened and never closed.',
  CSV_INVALID_CLOSING_QUOTE: 'there is text behind a closing quotation mark.',
  INVALID_OPENING_QUOTE:
    'a quotation mark is inside a cell. Put the cell in quotation marks, and double the ones inside.',
};

/**
 * Reads RFC 4180, and what spreadsheets make of it: a byte order mark, any line ending, semicolons or tabs between cells, a first line
 * that names them (`sep=;`). Blanks around quotes and empty lines are left out.
 * @throws BrokenCsv quotes that do not fit
 */
export function readCsv(text: string): CsvFile {
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(text) ?? [];
  const delimiter = DELIMITERS.find((each) => each === named) ?? delimiterOf(text);
  const table = text.slice(separatorLine.length).replaceAll(/\r\n?/g, '\n');
  const skipped = separatorLine === '' ? 0 : 1;
  return { delimiter, rows: rowsOf(table, delimiter, skipped) };
}

function rowsOf(text: string, delimiter: Delimiter, skipped: number): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      bom: true,
      delimiter,
      record_delimiter: '\n',
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      on_record(cells: string[], { lines }) {
        const line = skipped + lines - cells.join('').split('\n').length + 1;
        if (cells.some((cell) => cell !== '')) rows.push({ line, cells });
        return undefined;
      },
    });
  } catch (error) {
    const fault = error instanceof CsvError ? FAULTS[error.code] : undefined;
    if (fault === undefined || !(error instanceof CsvError)) throw error;
    throw new BrokenCsv(`Line ${skipped + Number(error['lines'])}: ${fault}`, { cause: error });
  }
  return rows;
}

/** The one of which the first line has most. */
function delimiterOf(text: string): Delimiter {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (delimiter: Delimiter): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}
