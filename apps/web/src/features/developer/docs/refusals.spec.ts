import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { TOKEN_REFUSALS } from './refusals';

const DOCUMENT = path.resolve(import.meta.dirname, '../../../../../../docs/applications.md');

/** The likes of `403 DAILY_LIMIT`, from the document's table of refusals. */
function documented(): string[] {
  const [, table = ''] = readFileSync(DOCUMENT, 'utf8').split(/^\| refused with .*\n.*\n/m);
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/(\d{3}) ((?:`[A-Z_]+`(?:, )?)+)/g)].flatMap(([, status = '', codes = '']) =>
    [...codes.matchAll(/[A-Z_]+/g)].map(([code]) => `${status} ${code}`),
  );
}

it('names the refusals of the token API as its document does', () => {
  const shown = TOKEN_REFUSALS.flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`));
  expect(shown.toSorted()).toEqual(documented().toSorted());
  expect(shown).toContain('403 DAILY_LIMIT');
});
