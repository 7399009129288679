import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../../..');
/** A lock of Postgres by its number: `const CLOSING_LOCK = 4_021_101;`. Times and classes of locks are none. */
const LOCK = /const (\w*LOCK(?:_KEY)?) = (0x[0-9a-f]+|[\d_]+);/g;

describe('locks that one process of an installation holds', () => {
  it('have a number each: with one number, two kinds of work would keep each other waiting', () => {
    const holders = new Map<number, string[]>();
    for (const folder of ['apps/api/src', 'libs']) {
      for (const entry of readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/(?<!\.spec)\.ts$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        for (const [, name, number = ''] of readFileSync(file, 'utf8').matchAll(LOCK)) {
          const value = Number(number.replaceAll('_', ''));
          holders.set(value, [...(holders.get(value) ?? []), `${path.relative(ROOT, file)}: ${name}`]);
        }
      }
    }
    expect(holders.size).toBeGreaterThan(12);
    expect([...holders.values()].filter((each) => each.length > 1)).toEqual([]);
  });
});
