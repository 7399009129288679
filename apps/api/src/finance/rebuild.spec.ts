import { isReadModel, sentenceOf } from './rebuild.js';

const OUTCOME = { name: 'sent_gifts', revision: 7, swapped: true, tables: [] };

describe('what the command line says of a rebuild', () => {
  it('tells the same, another release, replaced and kept apart', () => {
    const difference =
      'The live rows of sent_gifts are not what the journal gives: sent_gift has 1 rows, the journal gives 2.';
    expect(sentenceOf({ ...OUTCOME, matched: true })).toBe(
      'ok    sent_gifts: rebuilt up to revision 7 and swapped in. Old and new are the same.',
    );
    expect(sentenceOf(OUTCOME)).toMatch(/swapped in\. The old one was of another release\.$/);
    expect(sentenceOf({ ...OUTCOME, matched: false, difference })).toMatch(
      /the journal gives 2\. They were replaced\.$/,
    );
    const kept = sentenceOf({ ...OUTCOME, swapped: false, matched: false, difference });
    expect(kept).toMatch(
      /^KEPT  sent_gifts: The live rows .* Nothing was changed; --replace takes the journal's rows\.$/,
    );
  });

  it('takes the names of read models, and all', () => {
    expect(['all', 'sent_gifts', 'statements', 'nobody', ''].map(isReadModel)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
