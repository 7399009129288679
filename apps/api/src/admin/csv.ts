/**
 * What spreadsheets take for the beginning of a formula, also behind white space, full-width forms included; the white space
 * beyond ASCII is spelled out, because what `\s` is depends on the database's locale.
 */
const FORMULA =
  '^[\\s\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*[=+@\\-\\uff1d\\uff0b\\uff0d\\uff20]|^[\\t\\r\\n]';

/** Beginnings with a Latin letter (65 to 122 in ASCII holds them all, and no beginning of a formula): most texts, and quick to tell. */
const isPlain = (text: string): string => `ascii(${text}) between 65 and 122`;

/**
 * A quoted CSV cell (RFC 4180) of an SQL expression of text that is never null. A leading apostrophe keeps spreadsheets from
 * running what a member typed (CSV injection). Amounts are not text: they stay numbers, minus sign and all.
 */
export const textCellSql = (text: string): string =>
  `'"' || case when ${isPlain(text)} then '' when ${text} ~ '${FORMULA}' then '''' else '' end || ${quotedSql(text)}`;

/** The same for a text that begins with words of ours. */
export const sentenceCellSql = (text: string): string => `'"' || ${quotedSql(text)}`;

const quotedSql = (text: string): string => `replace(${text}, '"', '""') || '"'`;

export const CSV_TYPE = 'text/csv; charset=utf-8; header=present';

/** The header line. The byte order mark is for spreadsheets, which would otherwise misread names; readers of UTF-8 skip it. */
export const csvHeader = (columns: readonly string[]): string => `\ufeff${columns.join(',')}\r\n`;
