import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import { create, type Font } from 'fontkit';
import Pdf from 'pdfkit';
import type { NamedText, PrintedGroup, PrintedRow, PrintedStatement } from './printed-statement.js';

// Lengths are points, 72 to the inch.
const MARGIN = 48;
const LEFT = MARGIN;
const RIGHT = 547;
const TOP = MARGIN;
/** The footer is below. */
const BOTTOM = 770;
const FOOTER = 792;
const ROW = 15;
const DESCRIPTION_LEFT = LEFT + 104;
const DESCRIPTION_WIDTH = 286;
const FIGURE_COLUMNS = [290, 375, 460, RIGHT] as const;

/** The product's star (`nova-mark.tsx`), in a square of 24. */
const STAR = 'M12 0c1.1 8 4 10.9 12 12-8 1.1-10.9 4-12 12-1.1-8-4-10.9-12-12 8-1.1 10.9-4 12-12Z';
/** The tokens that the client prints with (`tokens.css`). */
const INK = '#0d1018';
const MUTED = '#4a4d58';
const LINE = '#d5d7de';
const SURFACE = '#f3f4f8';
const NOVA = '#e5a63a';

/** Digits of one width, so that columns of figures line up. */
const FIGURES = { features: ['tnum'], lineBreak: false } as PDFKit.Mixins.TextOptions;
const ONE_LINE: PDFKit.Mixins.TextOptions = { lineBreak: false };

const { resolve } = createRequire(import.meta.url);
const REGULAR = readFileSync(resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'));
const BOLD = readFileSync(resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'));

/** Prints a statement as PDF (rule wallet-22). The same statement has the same bytes. It is for a thread of its own. */
export function printStatement(statement: PrintedStatement): Promise<Buffer> {
  const doc = new Pdf({
    size: 'A4',
    // A margin at the bottom would begin pages by itself.
    margins: { top: TOP, left: MARGIN, right: MARGIN, bottom: 0 },
    bufferPages: true,
    lang: 'en-US',
    displayTitle: true,
    font: '',
    info: {
      Title: `Nova statement for ${statement.month}`,
      Author: 'Nova',
      Creator: 'Nova',
      Producer: 'Nova',
      CreationDate: new Date(statement.date),
    },
  });
  const pdf = buffer(doc);
  doc.registerFont('regular', REGULAR);
  doc.registerFont('bold', BOLD);
  new StatementPages(doc, statement).print();
  doc.end();
  return pdf;
}

class StatementPages {
  private readonly glyphs = create(REGULAR) as Font;
  private y: number = TOP;

  constructor(
    private readonly doc: PDFKit.PDFDocument,
    private readonly statement: PrintedStatement,
  ) {}

  print(): void {
    this.heading();
    this.summary();
    this.movements();
    this.accounts();
    this.proof();
    this.footers();
  }

  private heading(): void {
    const { month, member, period } = this.statement;
    this.doc.save().translate(LEFT, this.y).path(STAR).fill(NOVA).restore();
    this.font('bold', 15, INK).text('Nova', LEFT + 32, this.y + 3, ONE_LINE);
    this.font('bold', 20, INK).text(`Statement for ${month}`, LEFT, this.y + 44, ONE_LINE);
    this.font('regular', 11, INK);
    this.y += 74 + this.wrapped(this.printable(member), LEFT, this.y + 74, RIGHT - LEFT);
    this.font('regular', 9, MUTED);
    this.y += 4 + this.wrapped(period, LEFT, this.y + 4, RIGHT - LEFT) + 16;
  }

  /** Opening, change and closing, as the wallet shows a balance. */
  private summary(): void {
    const { opening, change, closing, closingLabel } = this.statement;
    this.doc.roundedRect(LEFT, this.y, RIGHT - LEFT, 58, 8).fill(SURFACE);
    const width = (RIGHT - LEFT) / 3;
    for (const [index, [label, amount]] of [
      ['Opening balance', opening],
      ['Change', change],
      [closingLabel, closing],
    ].entries()) {
      const x = LEFT + 16 + index * width;
      this.font('regular', 9, MUTED).text(label ?? '', x, this.y + 12, ONE_LINE);
      this.font('bold', 14, INK).text(amount ?? '', x, this.y + 28, FIGURES);
    }
    this.y += 58 + 24;
  }

  private movements(): void {
    const { groups, note } = this.statement;
    this.title('Movements');
    if (groups.length === 0) this.sentence('Nothing moved.');
    for (const group of groups) this.group(group);
    if (note !== null) this.sentence(note);
    this.y += 14;
  }

  private group(group: PrintedGroup): void {
    const head = (count: string): void => {
      this.font('bold', 10, INK).text(group.label, LEFT, this.y, ONE_LINE);
      const after = LEFT + this.doc.widthOfString(group.label) + 8;
      this.font('regular', 9, MUTED).text(count, after, this.y + 1, ONE_LINE);
    };
    this.room(3 * ROW);
    head(group.count);
    this.font('bold', 10, INK);
    this.figure(group.amount, RIGHT);
    this.y += ROW + 1;
    this.rule();
    for (const row of group.rows) {
      if (!this.hasRoom(ROW)) {
        this.turn();
        head('continued');
        this.y += ROW + 1;
        this.rule();
      }
      this.row(row);
    }
    this.y += 10;
  }

  private row({ date, description, amount }: PrintedRow): void {
    this.font('regular', 9, MUTED).text(date, LEFT, this.y, ONE_LINE);
    this.font('regular', 9, INK);
    this.figure(amount, RIGHT);
    const height = this.wrapped(this.printable(description), DESCRIPTION_LEFT, this.y, DESCRIPTION_WIDTH);
    this.y += Math.max(ROW, height + 4);
  }

  private accounts(): void {
    const { accounts } = this.statement;
    this.room((accounts.length + 4) * ROW);
    this.title('Accounts');
    this.font('regular', 9, MUTED);
    for (const [index, label] of ['Opening', 'In', 'Out', 'Closing'].entries()) {
      this.figure(label, FIGURE_COLUMNS[index] ?? RIGHT);
    }
    this.y += ROW;
    this.rule();
    for (const { label, opening, in: gained, out, closing } of accounts) {
      this.font('regular', 9, INK).text(label, LEFT, this.y, ONE_LINE);
      for (const [index, figure] of [opening, gained, out, closing].entries()) {
        this.figure(figure, FIGURE_COLUMNS[index] ?? RIGHT);
      }
      this.y += ROW;
    }
    this.y += 14;
  }

  private proof(): void {
    const { revision, hash } = this.statement;
    this.room(5 * ROW);
    this.title('Proof');
    this.sentence(`Made of the journal up to revision ${revision}. The hash of its chain there:`);
    this.font('regular', 8, INK).text(hash, LEFT, this.y, FIGURES);
  }

  private footers(): void {
    const { month, revision } = this.statement;
    const { start, count } = this.doc.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.doc.switchToPage(start + page);
      this.font('regular', 8, MUTED).text(`Nova statement for ${month}, revision ${revision}`, LEFT, FOOTER, ONE_LINE);
      this.y = FOOTER;
      this.figure(`Page ${page + 1} of ${count}`, RIGHT);
    }
  }

  /** With the names, or with ids where the font lacks a glyph or a character is invisible. */
  private printable({ withNames, withIds }: NamedText): string {
    const points = Array.from(withNames, (character) => character.codePointAt(0) ?? 0);
    const isWhole = points.every((point) => this.glyphs.hasGlyphForCodePoint(point));
    return isWhole && !/\p{C}/u.test(withNames) ? withNames : withIds;
  }

  private title(text: string): void {
    this.font('bold', 12, INK).text(text, LEFT, this.y, ONE_LINE);
    this.y += 22;
  }

  private sentence(text: string): void {
    this.font('regular', 9, MUTED);
    this.y += this.wrapped(text, LEFT, this.y, RIGHT - LEFT) + 4;
  }

  /** Most texts fit one line, which is written ten times as fast as one that may wrap. @returns the height */
  private wrapped(text: string, x: number, y: number, width: number): number {
    if (this.doc.widthOfString(text) <= width) {
      this.doc.text(text, x, y, ONE_LINE);
      return this.doc.currentLineHeight();
    }
    const height = this.doc.heightOfString(text, { width });
    this.doc.text(text, x, y, { width });
    return height;
  }

  /** Ends at `right`. */
  private figure(text: string, right: number): void {
    this.doc.text(text, right - this.doc.widthOfString(text, FIGURES), this.y, FIGURES);
  }

  private rule(): void {
    this.doc.moveTo(LEFT, this.y).lineTo(RIGHT, this.y).lineWidth(0.5).stroke(LINE);
    this.y += 5;
  }

  private font(name: 'regular' | 'bold', size: number, color: string): PDFKit.PDFDocument {
    return this.doc.font(name).fontSize(size).fillColor(color);
  }

  private hasRoom(height: number): boolean {
    return this.y + height <= BOTTOM;
  }

  private room(height: number): void {
    if (!this.hasRoom(height)) this.turn();
  }

  private turn(): void {
    this.doc.addPage();
    this.y = TOP;
  }
}
