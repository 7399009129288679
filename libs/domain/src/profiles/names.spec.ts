import fc from 'fast-check';
import { isName, isolated } from './names.js';

describe('isName', () => {
  it.each([
    'Ada',
    '1',
    'e\u0301',
    '¿?',
    'עדה',
    'Nova Lindqvist',
    'Нова Петрова',
    '山田　太郎',
    'می‌خواهم',
    'ශ්‍රී',
    'क्‍ष',
    'র‍্যাব',
    '👩‍🚀',
    '👩🏽‍🚀 Ada',
    '👨‍👩‍👧‍👦',
    '❤️ Ada',
    '🏳️‍🌈',
    '1️⃣',
    '🇸🇪',
    // That there is one at all is another rule's.
    '',
  ])('takes %j', (text) => expect(isName(text)).toBe(true));

  it.each([
    ['blanks', ' \u00a0\u3000'],
    ['a zero width space', '\u200b'],
    ['a zero width space in it', 'No\u200bva'],
    ['a joiner that joins nothing', 'No\u200dva'],
    ['a joiner at the end', 'Ada\u200d'],
    ['a non-joiner in Latin', 'No\u200cva'],
    ['a joiner between a letter and an emoji', 'Ada\u200d🚀'],
    ['a soft hyphen', 'No\u00adva'],
    ['a word joiner', 'No\u2060va'],
    ['a combining grapheme joiner', 'No\u034fva'],
    ['a selector after a letter', 'Ada\ufe0f'],
    ['a selector after a digit', '1\ufe0f'],
    ['tags', 'Ada\u{e0041}'],
    ['Hangul fillers', '\u3164\u115f'],
    ['a half-width filler in it', 'No\uffa0va'],
    ['an empty braille cell', '\u2800'],
    ['an empty braille cell in it', 'Ada\u2800Lovelace'],
    ['a note without a head', 'Ada\u{1d159}'],
    ['a lone mark', '\u0301'],
    ['an override', 'Ada\u202egpj'],
    ['an isolate', '\u2067Ada'],
    ['a mark of direction', '\u200fעדה'],
    ['an Arabic mark of direction', 'Ada\u061c'],
    ['a line break', 'Ada\nMinted'],
    ['a separator of lines', 'Ada\u2028Minted'],
    ['a tab', 'Ada\tB'],
    ['an annotation', 'Ada\ufff9x\ufffb'],
  ])('refuses %s', (_, text) => expect(isName(text)).toBe(false));

  it('takes no name of Latin letters with anything hidden between them', () => {
    const letters = fc.string({ unit: fc.constantFrom(...Array.from('abcdefgNOVA')), minLength: 1 });
    const hidden = fc.constantFrom(
      '\u00ad',
      '\u034f',
      '\u061c',
      '\u180e',
      '\u200b',
      '\u200c',
      '\u200d',
      '\u200e',
      '\u202a',
      '\u2066',
      '\u2800',
      '\u3164',
      '\ufe00',
      '\ufe0f',
      '\ufeff',
      '\uffa0',
      '\u{1d173}',
      '\u{e0001}',
      '\u{e0061}',
      '\u{e0100}',
    );
    fc.assert(
      fc.property(letters, hidden, letters, (before, sign, after) => {
        expect(isName(before + after)).toBe(true);
        expect(isName(before + sign + after)).toBe(false);
        expect(isName(before + after + sign)).toBe(false);
      }),
    );
  });
});

test.each([
  ['Ada Lovelace', 'Ada Lovelace'],
  ['Zoë 玲 😀 7', 'Zoë 玲 😀 7'],
  ['عمر', '\u2068عمر\u2069'],
  ['Ada דוד', '\u2068Ada דוד\u2069'],
])('%s is kept apart from a sentence’s words if it has letters from right to left', (name, kept) => {
  expect(isolated(name)).toBe(kept);
});
