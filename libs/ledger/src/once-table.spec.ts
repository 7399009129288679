import { hash } from 'node:crypto';
import { OnceTable } from './once-table.js';

const hashOf = (n: number): string => hash('sha256', `${n}`, 'hex').slice(0, 32);

test('remembers where each of many hashes came first, however it grows', () => {
  const table = new OnceTable();
  const count = 50_000;
  for (let n = 0; n < count; n++) expect(table.add(hashOf(n), n)).toBeUndefined();
  for (let n = 0; n < count; n += 997) expect(table.add(hashOf(n), count)).toBe(n);
  expect(table.add(hashOf(count), count)).toBeUndefined();
});

test('tells hashes apart that share their first words, and finds a place past the end', () => {
  const table = new OnceTable();
  const hashes = ['000003ff', '000003ff'].flatMap((start) =>
    ['1', '2', '3'].map((end) => `${start}${'0'.repeat(15)}${end}`),
  );
  expect(hashes.map((text, revision) => table.add(text, revision))).toEqual([undefined, undefined, undefined, 0, 1, 2]);
});
