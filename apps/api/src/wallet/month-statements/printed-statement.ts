/** A text with names in it, and the same with ids in their place, for names that the font has no glyphs for. */
export interface NamedText {
  readonly withNames: string;
  readonly withIds: string;
}

export interface PrintedRow {
  readonly date: string;
  readonly description: NamedText;
  readonly amount: string;
}

export interface PrintedGroup {
  readonly label: string;
  readonly count: string;
  readonly amount: string;
  readonly rows: readonly PrintedRow[];
}

export interface PrintedAccount {
  readonly label: string;
  readonly opening: string;
  readonly in: string;
  readonly out: string;
  readonly closing: string;
}

/** A month's statement in the words and figures that are printed. */
export interface PrintedStatement {
  /** `November 2026`. */
  readonly month: string;
  readonly member: NamedText;
  /** What the figures include, in a sentence. */
  readonly period: string;
  readonly opening: string;
  readonly change: string;
  readonly closing: string;
  readonly closingLabel: string;
  readonly groups: readonly PrintedGroup[];
  /** Instead of movements that are not listed. */
  readonly note: string | null;
  /** The accounts behind the balance, tokens included. */
  readonly accounts: readonly PrintedAccount[];
  readonly revision: string;
  readonly hash: string;
  /** Milliseconds since 1970: the date of the document, so that the same statement has the same bytes. */
  readonly date: number;
}
