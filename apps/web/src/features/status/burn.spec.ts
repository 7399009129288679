import { expect, test } from '@jest/globals';
import { firstTexts, readBurn, seyvnOf } from './burn';

const holdings = { earnedNova: 250.5, karmaTokenBalance: 2, influenceTokens: 3 };

test('earned Nova + 10 × Influence + 5 × Karma', () => {
  expect(seyvnOf({ earnedNovaAmount: 100.1, karmaAmount: 2, influenceAmount: 3 })).toBe(140.1);
});

test('begins with 100 Nova and no tokens, with less for who has less', () => {
  expect(firstTexts(holdings)).toEqual({ nova: '100', karma: '0', influence: '0' });
  expect(firstTexts({ ...holdings, earnedNova: 12.34 }).nova).toBe('12.34');
});

test('reads pasted amounts, and an empty field as nothing', () => {
  expect(readBurn({ nova: ' 1,250.50 Nova', karma: '', influence: ' 3 ' }, { ...holdings, earnedNova: 2000 })).toEqual({
    ok: true,
    burn: { earnedNovaAmount: 1250.5, karmaAmount: 0, influenceAmount: 3 },
  });
});

test('takes all that one has, and nothing beyond it', () => {
  const all = { nova: '250.50', karma: '2', influence: '3' };
  expect(readBurn(all, holdings).ok).toBe(true);
  const beyond = { nova: '250.51', karma: '3', influence: '4' };
  expect(readBurn(beyond, holdings)).toEqual({
    ok: false,
    complaints: {
      nova: 'You have less than that.',
      karma: 'You have less than that.',
      influence: 'You have less than that.',
    },
  });
});

test.each([
  { part: 'nova', text: '1.005' },
  { part: 'nova', text: '-1' },
  { part: 'karma', text: '1.5' },
  { part: 'influence', text: '1e3' },
] as const)('$text is no amount of $part', ({ part, text }) => {
  const reading = readBurn({ nova: '1', karma: '0', influence: '0', [part]: text }, holdings);
  expect(reading).toEqual({ ok: false, complaints: { [part]: expect.any(String) } });
});
