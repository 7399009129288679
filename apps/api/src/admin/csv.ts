import { stringify, type Stringifier } from 'csv-stringify';

/** What spreadsheets take for the beginning of a formula, also behind white space, full-width forms included. */
const FORMULA = /^[\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/**
 * A cell of text: a leading apostrophe keeps spreadsheets from running what a member typed (CSV injection). Amounts are not
 * text: they stay numbers, minus sign and all.
 */
export const textCell = (text: string | null): string => {
  if (text === null) return '';
  return FORMULA.test(text) ? `'${text}` : text;
};

/**
 * RFC 4180: CRLF, quotes where needed, a header line. The byte order mark is for spreadsheets, which would otherwise misread
 * names; readers of UTF-8 skip it.
 */
export const csvWriter = (columns: readonly string[]): Stringifier =>
  stringify({
    header: true,
    columns: [...columns],
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]|^\s|\s$/,
  });
