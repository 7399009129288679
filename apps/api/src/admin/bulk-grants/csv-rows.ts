/** A line of a CSV file: where it begins, and its cells. */
export interface CsvRow {
  /** The line of the file, from 1; quoted cells may hold several. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** What is wrong with a whole file, in a sentence. */
export class BrokenCsv extends Error {
  override readonly name = 'BrokenCsv';
}

const BYTE_ORDER_MARK = '\ufeff';
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Reads RFC 4180, and what spreadsheets make of it: a byte order mark, any line ending, semicolons or tabs between cells.
 * Blanks around quotes and empty lines are left out.
 * @throws BrokenCsv quotes that do not fit
 */
export function readCsv(text: string): CsvRow[] {
  const content = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const reader = new CsvReader(content, delimiterOf(content));
  const rows: CsvRow[] = [];
  for (let row = reader.next(); row; row = reader.next()) {
    if (row.cells.some((cell) => cell.trim() !== '')) rows.push(row);
  }
  return rows;
}

/** The one of which the first line has most. */
function delimiterOf(text: string): string {
  const first = /^[^\r\n]*/.exec(text)?.[0] ?? '';
  const count = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

class CsvReader {
  private at = 0;
  private line = 1;

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
  ) {}

  next(): CsvRow | undefined {
    if (this.at >= this.text.length) return undefined;
    const { line } = this;
    const cells = [this.cell()];
    while (this.text[this.at] === this.delimiter) {
      this.at += 1;
      cells.push(this.cell());
    }
    this.endOfLine();
    return { line, cells };
  }

  private cell(): string {
    let opening = this.at;
    while (this.text[opening] === ' ') opening += 1;
    if (this.text[opening] !== '"') return this.bare();
    this.at = opening;
    return this.quoted();
  }

  private bare(): string {
    const from = this.at;
    while (this.at < this.text.length && !this.isEnd(this.text[this.at])) this.at += 1;
    return this.text.slice(from, this.at);
  }

  private quoted(): string {
    const { line } = this;
    let cell = '';
    for (;;) {
      const closing = this.text.indexOf('"', this.at + 1);
      if (closing < 0) throw new BrokenCsv(`Line ${line}: a quotation mark is opened and never closed.`);
      const part = this.text.slice(this.at + 1, closing);
      cell += part;
      this.line += part.split(/\r\n|\r|\n/).length - 1;
      this.at = closing + 1;
      if (this.text[this.at] !== '"') break;
      cell += '"';
    }
    while (this.text[this.at] === ' ') this.at += 1;
    if (this.at < this.text.length && !this.isEnd(this.text[this.at])) {
      throw new BrokenCsv(`Line ${this.line}: there is text behind a closing quotation mark.`);
    }
    return cell;
  }

  private isEnd(character: string | undefined): boolean {
    return character === this.delimiter || character === '\r' || character === '\n';
  }

  private endOfLine(): void {
    if (this.text[this.at] === '\r') this.at += 1;
    if (this.text[this.at] === '\n') this.at += 1;
    this.line += 1;
  }
}
