import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_CODES } from './error-codes.js';

const SOURCES = path.resolve(import.meta.dirname, '../..');

/** Their codes are of rows, lines, acts and frames, not of refusals. */
const ELSEWHERE = /reconciliation|grant-rows|grant-plan|approvals\.dto|realtime|http.bodies/;

/** Codes in the contexts of validators have no types: class-validator takes anything. */
it('lists the codes of all fields that are checked', () => {
  const inContexts = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !ELSEWHERE.test(file))
    .flatMap((file) => [...readFileSync(path.join(SOURCES, file), 'utf8').matchAll(/\bcode: '([A-Z_]+)'/g)])
    .map(([, code]) => code);
  expect(inContexts.length).toBeGreaterThan(50);
  expect([...new Set(inContexts)].filter((code) => !ERROR_CODES.includes(code as never))).toEqual([]);
});

it('is sorted, and has each code once', () => {
  expect([...ERROR_CODES]).toEqual([...new Set(ERROR_CODES)].toSorted());
});
