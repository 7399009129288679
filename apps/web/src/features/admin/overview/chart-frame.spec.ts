import { expect, it } from '@jest/globals';
import { axisFigure } from './chart-frame';

it('names the lines of an axis as far apart as they are', () => {
  const lines = [0, 350, 700, 1_050, 1_400];
  expect(lines.map((nova) => axisFigure.format(nova * 1_000_000))).toEqual(['0', '350M', '700M', '1.05B', '1.4B']);
  expect(lines.map((nova) => axisFigure.format(nova))).toEqual(['0', '350', '700', '1.05K', '1.4K']);
});
