import { parseByteRange } from './byte-range.js';

describe('a Range header of a file of 100 bytes (RFC 9110 §14)', () => {
  it.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=-5', { start: 95, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=50-1000', { start: 50, end: 99 }],
    [' bytes=99-99 ', { start: 99, end: 99 }],
  ])('%s is a part', (header, range) => {
    expect(parseByteRange(header, 100)).toEqual(range);
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999-'])('%s cannot be had', (header) => {
    expect(parseByteRange(header, 100)).toBe('unsatisfiable');
  });

  it.each([
    undefined,
    '',
    'bytes=-',
    'bytes=9-3',
    'bytes=0-1,5-6',
    'items=0-1',
    'bytes=a-b',
    'bytes=1.5-2',
    'bytes=--5',
  ])('%s means all of it', (header) => {
    expect(parseByteRange(header, 100)).toBeUndefined();
  });

  it('has no part of an empty file', () => {
    expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseByteRange('bytes=-1', 0)).toBe('unsatisfiable');
  });
});
