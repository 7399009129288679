import { stringify } from 'csv-stringify/sync';

/**
 * What spreadsheets take for the beginning of a formula, also behind white space, full-width forms included; the white space
 * beyond ASCII is spelled out, because what `\s` is depends on the database's locale.
 */
const FORMULA =
  '^[\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*[=+@\\-\\uff1d\\uff0b\\uff0d\\uff20]|^[\\t\\r\\n]';

/** What spreadsheets take for a number, a date or a time and show as another: `0012345`, `12/11`, `1e5`, `3 Mar`, `May 2024`, `true`. */
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const CONVERTED = `^\\s*(?:\\d[\\d\\s.,/:''’-]*(?:e[+-]?\\d+|[ap]m?|%|${MONTH}[\\s.,/-]*\\d*)?|${MONTH}[\\s.,/-]*\\d[\\d\\s.,/-]*|true|false)\\s*$`;

/** Beginnings with a Latin letter (65 to 122 in ASCII holds them all, and no beginning of a formula): most texts, and quick to tell. */
const isPlain = (text: string): string => `ascii(${text}) between 65 and 122`;

/**
 * A quoted CSV cell (RFC 4180) of an SQL expression of text that is never null. A leading apostrophe keeps spreadsheets from
 * running what a member typed (CSV injection), or from taking a name for a number. Amounts are not text: they stay numbers,
 * minus sign and all.
 */
export const textCellSql = (text: string): string =>
  `'"' || case when ${text} ~* '${CONVERTED}' then '''' when ${isPlain(text)} then '' when ${text} ~ '${FORMULA}' then '''' else '' end
    || ${quotedSql(text)}`;

/** The same for a text that begins with words of ours. */
export const sentenceCellSql = (text: string): string => `'"' || ${quotedSql(text)}`;

const quotedSql = (text: string): string => `replace(${text}, '"', '""') || '"'`;

/** Rows of ours as lines of CSV (RFC 4180): no cell begins with what a member typed. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((cells) => [...cells]),
    { record_delimiter: 'windows' },
  );

const BEGINS_FORMULA = new RegExp(FORMULA);
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Rows for programs, with line feeds. What a spreadsheet would take for a formula gets an apostrophe; amounts stay numbers. */
export const csvRows = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((cells) => cells.map((cell) => (BEGINS_FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell))),
  );

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The header line. The byte order mark is for spreadsheets, which would otherwise misread names; readers of UTF-8 skip it. */
export const csvHeader = (columns: readonly string[]): string => `\ufeff${columns.join(',')}\r\n`;
