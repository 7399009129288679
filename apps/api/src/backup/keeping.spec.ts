import { superfluous } from './keeping.js';
import { nameAt, timeOf } from './manifest.js';

const at = (iso: string): string => nameAt(new Date(iso));
const daily = (from: string, days: number): string[] =>
  Array.from({ length: days }, (_, day) => nameAt(new Date(Date.parse(from) + day * 86_400_000)));
const keptOf = (names: readonly string[], rule: Parameters<typeof superfluous>[1]): string[] => {
  const gone = new Set(superfluous(names, rule));
  return names.filter((name) => !gone.has(name));
};

describe('which backups are kept', () => {
  it('is the last of each day, week and month, as far back as the rule goes', () => {
    const year = daily('2026-01-01T03:00:00Z', 365);
    const kept = keptOf(year, { days: 3, weeks: 2, months: 3 });
    expect(kept).toEqual(
      [
        '2026-10-31T03:00:00Z',
        '2026-11-30T03:00:00Z',
        // Sunday, the last of its week.
        '2026-12-27T03:00:00Z',
        '2026-12-29T03:00:00Z',
        '2026-12-30T03:00:00Z',
        '2026-12-31T03:00:00Z',
      ].map(at),
    );
  });

  it('counts days that have one: none disappears because none was made for a while', () => {
    const old = daily('2025-03-01T03:00:00Z', 3);
    expect(keptOf(old, { days: 7, weeks: 0, months: 0 })).toEqual(old);
  });

  it('has the newest in any case, and never what has another name', () => {
    expect(superfluous([at('2026-01-01T00:00:00Z')], { days: 0, weeks: 0, months: 0 })).toEqual([]);
    expect(superfluous(['files', 'nova-yesterday'], { days: 0, weeks: 0, months: 0 })).toEqual([]);
  });

  it('reads from a name when it was made', () => {
    expect(timeOf(at('2026-11-27T04:05:06.789Z'))).toEqual(new Date('2026-11-27T04:05:06Z'));
    expect(timeOf('nova-2026-11-27')).toBeUndefined();
  });
});
