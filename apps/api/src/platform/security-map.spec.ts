import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const document = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');
const [, missing = '', ...chapters] = document.split(/^## /m);

/** `6.2.4, 6.2.9–6.2.11` is four requirements. */
function requirements(ids: string): string[] {
  return ids.split(', ').flatMap((id) => {
    const [first = '', last = first] = id.split('–');
    const section = first.slice(0, first.lastIndexOf('.') + 1);
    const number = (of: string): number => Number(of.slice(of.lastIndexOf('.') + 1));
    const count = number(last) - number(first) + 1;
    return Array.from({ length: count }, (_, index) => `${section}${number(first) + index}`);
  });
}

/** The cells of every row about requirements. */
const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (\d.*) \|$/gm)].map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()));

const verdicts = chapters
  .flatMap(rowsOf)
  .flatMap(([ids = '', , , verdict = '']) => requirements(ids).map((id) => ({ id, verdict })));
const idsThat = (...wanted: string[]): string[] =>
  verdicts.flatMap(({ id, verdict }) => (wanted.includes(verdict) ? id : [])).toSorted();

const NOVAS_OWN_MAX = 4;

/** A map that contradicts itself proves nothing. */
describe('the map of security requirements (docs/security.md)', () => {
  it('judges each requirement once, by a word that it explains', () => {
    expect(new Set(verdicts.map(({ id }) => id)).size).toBe(verdicts.length);
    for (const { id, verdict } of verdicts) expect([id, document.includes(`**${verdict}**`)]).toEqual([id, true]);
  });

  it('counts what it lists', () => {
    const [, ...counts] =
      /Of the (\d+) requirements, (\d+) are met, (\d+) do not apply, (\d+) are the operator's, (\d+) are met in part and (\d+) (?:is|are) not/.exec(
        document,
      ) ?? [];
    const listed = ['yes', 'n/a', 'operator', 'part', 'no'].map((verdict) => idsThat(verdict).length);
    expect(counts.map(Number)).toEqual([verdicts.length, ...listed]);
  });

  it('gives a reason for all that is not met, and for nothing else', () => {
    const reasoned = rowsOf(missing).flatMap(([ids = '']) => requirements(ids));
    expect(reasoned.toSorted()).toEqual(idsThat('part', 'no'));
  });

  it('says of each whose it is, and leaves at most four that nobody but Nova can mend', () => {
    const shortcomings = rowsOf(missing).flatMap(([ids = '', , whose = '']) =>
      requirements(ids).map((id) => ({ id, whose })),
    );
    expect(shortcomings.filter(({ whose }) => !['Nova', 'specification'].includes(whose))).toEqual([]);
    const own = shortcomings.filter(({ whose }) => whose === 'Nova').map(({ id }) => id);
    expect(own.slice(NOVAS_OWN_MAX)).toEqual([]);
    const [, ...counts] = /(\d+) are Nova's own and (\d+) the specification's/.exec(document) ?? [];
    expect(counts.map(Number)).toEqual([own.length, shortcomings.length - own.length]);
  });

  it('names tests that are there', () => {
    const short = [...document.matchAll(/`([AE])\/([\w.-]+)`/g)].map(
      ([, kind, name]) => `test/${kind === 'A' ? 'acceptance' : 'e2e'}/${name}.spec.ts`,
    );
    const whole = [...document.matchAll(/`((?:apps|libs|test)\/[\w./-]+\.spec\.ts)`/g)].map(([, file = '']) => file);
    const named = [...new Set([...short, ...whole])].filter((file) => !file.endsWith('/x.spec.ts'));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });
});
