import { describe, expect, it } from '@jest/globals';
import { csvProgress } from './csv-progress';

const piece = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the progress of a CSV download', () => {
  it('counts the rows that are whole, without the header', () => {
    const told = csvProgress();
    expect(told(piece('time,desc')).text).toBe('0 rows');
    expect(told(piece('ription\n1,a\n2,')).text).toBe('1 rows');
    expect(told(piece('b\n')).text).toBe('2 rows');
  });

  it('takes a line end inside quotes for text, also where a piece ends there', () => {
    const told = csvProgress();
    told(piece('time,description\n1,"one\ntwo ""'));
    expect(told(piece('three""\nfour"\n')).text).toBe('1 rows');
  });

  it('says of how many, and never more than those', () => {
    const told = csvProgress(1_500);
    expect(told(piece(`header\n${'row\n'.repeat(1_250)}`))).toEqual({
      text: '1,250 of 1,500 rows',
      done: 1_250,
      total: 1_500,
    });
    expect(told(piece('row\n'.repeat(300)))).toMatchObject({ done: 1_500, total: 1_500 });
  });
});
