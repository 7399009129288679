import { deserialize, serialize } from 'node:v8';
import * as fc from 'fast-check';
import { MemberIds, type MemberIdsSnapshot } from './member-ids.js';

const FIRST = '0193a000-0000-7000-8000-000000000000';

/** The same id with one character of it replaced. */
const changed = (at: number, character: string): string => FIRST.slice(0, at) + character + FIRST.slice(at + 1);

/** UUIDs that come one after the other, some that differ anywhere, and ids that are none. */
const anyId = fc.oneof(
  { weight: 4, arbitrary: fc.nat(400).map((n) => FIRST.slice(0, 24) + String(n).padStart(12, '0')) },
  { weight: 2, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom('alice', 'bob', FIRST.toUpperCase(), `${FIRST}0`, FIRST.slice(1)) },
);
type Act = { do: 'add'; id: string } | { do: 'take back'; count: number } | { do: 'restore' };
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  { weight: 20, arbitrary: anyId.map((id): Act => ({ do: 'add', id })) },
  { weight: 2, arbitrary: fc.nat(30).map((count): Act => ({ do: 'take back', count })) },
  { weight: 1, arbitrary: fc.constant<Act>({ do: 'restore' }) },
);

const stored = (ids: MemberIds): MemberIds =>
  MemberIds.restore(deserialize(serialize(ids.snapshot())) as MemberIdsSnapshot);

function idsOf(...given: string[]): MemberIds {
  const ids = new MemberIds();
  for (const id of given) ids.add(id);
  return ids;
}

test('ids are a list without repeats, whatever is added, taken back or restored', () => {
  fc.assert(
    fc.property(fc.array(anyAct, { maxLength: 600, size: 'max' }), (acts) => {
      let ids = new MemberIds();
      const list: string[] = [];
      const seen = new Set<string>();
      for (const act of acts) {
        if (act.do === 'restore') ids = stored(ids);
        if (act.do === 'take back') for (const id of list.splice(-act.count).toReversed()) ids.removeNewest(id);
        if (act.do !== 'add') continue;
        seen.add(act.id);
        const slot = list.indexOf(act.id);
        if (ids.slotOf(act.id) !== slot) throw new Error(`${act.id} is at ${ids.slotOf(act.id)}, not ${slot}`);
        if (slot < 0 && ids.add(act.id) !== list.push(act.id) - 1) throw new Error(`${act.id} got another slot`);
      }
      expect([...ids]).toEqual(list);
      expect(ids.size).toBe(list.length);
      expect([...seen].map((id) => ids.slotOf(id))).toEqual([...seen].map((id) => list.indexOf(id)));
    }),
    { numRuns: 200 },
  );
});

describe('a UUID that is known', () => {
  const places = Array.from(FIRST, (_, at) => at);
  const digits = places.filter((at) => FIRST[at] !== '-');

  test.each(digits)('is not another one, which differs in character %i', (at) => {
    const ids = idsOf(FIRST);
    expect(ids.slotOf(FIRST)).toBe(0);
    expect(ids.slotOf(changed(at, 'f'))).toBe(-1);
  });

  test.each(places)('is not a text that is no UUID by its character %i', (at) => {
    const ids = idsOf(FIRST);
    for (const character of ['g', 'A', '-', '0', '/', ':', '`', 'ı', '\0', '\uFF10', '😀'[0] ?? '']) {
      const other = changed(at, character);
      expect(ids.slotOf(other)).toBe(other === FIRST ? 0 : -1);
    }
  });
});

test.each([0, 9, 19, 28])('five hundred UUIDs that differ in the characters from %i on alone are all others', (at) => {
  const ids = new MemberIds();
  const all = Array.from({ length: 500 }, (_, n) => {
    const digits = n.toString(16).padStart(4, '0');
    return FIRST.slice(0, at) + digits + FIRST.slice(at + 4);
  });
  // So many want the same places in the index that each word of an id must be looked at.
  expect(all.map((id) => [ids.slotOf(id), ids.add(id)])).toEqual(all.map((_, n) => [-1, n]));
  expect(all.map((id) => ids.slotOf(id))).toEqual(all.map((_, n) => n));
});

test('an id that is no UUID is kept as it is written', () => {
  const given = ['alice', FIRST.replaceAll('-', '0'), FIRST.toUpperCase(), FIRST, changed(8, '0'), changed(35, 'G')];
  const ids = idsOf(...given);
  expect([...ids]).toEqual(given);
  expect([...stored(ids)]).toEqual(given);
  expect(ids.snapshot().others).toEqual(new Map(given.flatMap((id, slot) => (id === FIRST ? [] : [[id, slot]]))));
});

test('the UUID of zeros is one like any other, and is not an id of which no bits are kept', () => {
  const zeros = FIRST.replaceAll(/[^-]/g, '0');
  const ids = stored(idsOf('alice'));
  expect(ids.slotOf(zeros)).toBe(-1);
  expect(ids.add(zeros)).toBe(1);
  expect(ids.snapshot().others).toEqual(new Map([['alice', 0]]));
  expect([...stored(ids)]).toEqual(['alice', zeros]);
});

test('a snapshot holds 16 bytes an id, and does not change with what comes after it', () => {
  const ids = idsOf(FIRST);
  const snapshot = ids.snapshot();
  const restored = MemberIds.restore(snapshot);
  for (const more of [ids, restored]) {
    more.removeNewest(FIRST);
    more.add('alice');
  }
  expect(snapshot).toEqual({ words: Uint32Array.of(0x0193a000, 0x7000, 0x80000000, 0), others: new Map() });
});

test('nothing is left in a snapshot of a UUID that was taken back', () => {
  const ids = idsOf(FIRST, changed(35, '9'));
  ids.removeNewest(changed(35, '9'));
  ids.add('alice');
  expect(ids.snapshot()).toEqual(idsOf(FIRST, 'alice').snapshot());
});

test('ids that are made one after the other do not crowd in the index', () => {
  const ids = new MemberIds();
  const began = performance.now();
  for (let n = 0; n < 200_000; n++) ids.add(FIRST.slice(0, 24) + String(n).padStart(12, '0'));
  expect(ids.slotOf(FIRST.slice(0, 24) + '000000199999')).toBe(199_999);
  // Half a second where a place is found at once; minutes where a search passes all that came before.
  expect(performance.now() - began).toBeLessThan(20_000);
});
