import { describe, expect, it } from '@jest/globals';
import { readTopUp } from './top-up-rules';

describe('a top-up', () => {
  it.each([
    ['1,250', 1_250],
    ['5000', 5_000],
    ['10,000,000', 10_000_000],
    ['2,500.00', 2_500],
  ])('takes %j', (text, nova) => {
    expect(readTopUp(text)).toEqual({ nova });
  });

  it.each(['0', '1,249', '1249.99'])('refuses %j as less than the minimum', (text) => {
    expect(readTopUp(text)).toEqual({
      complaint: { title: 'Invalid Amount', sentence: 'Minimum purchase amount is 1,250 Nova Points ($1.00)' },
    });
  });

  it.each(['', 'many', '-2500', '1e6', '2500.5', '10,000,001', '10000000.01'])('refuses %j in a sentence', (text) => {
    expect(readTopUp(text)).toMatchObject({ complaint: { title: 'Invalid Amount' } });
  });
});
