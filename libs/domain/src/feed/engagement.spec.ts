import fc from 'fast-check';
import { LedgerInvariantError } from '../ledger/invariant.js';
import { decodeEngagementEvent, encodeEngagementEvent } from './codec.js';
import {
  ENGAGEMENT_KINDS,
  ENGAGEMENT_POINTS,
  engagementLevel,
  PERK_MS,
  promotionStage,
  withBonus,
} from './constants.js';
import { addDecaying, decayedValue } from './decay.js';
import type { PostEvent } from './events.js';
import { decidePerk, evolvePerks, newPerks } from './perks.js';
import {
  decideViewing,
  evolveViewing,
  newViewing,
  type Viewing,
  VIEWING_EVENTS_MAX,
  type ViewingCommand,
} from './viewing.js';

const viewer = { postId: 'p', authorId: 'ann', viewerId: 'ben' };

function doing(...commands: ViewingCommand[]): {
  state: Viewing;
  last: readonly PostEvent[];
  code: string | undefined;
} {
  let state = newViewing;
  let last: readonly PostEvent[] = [];
  for (const command of commands) {
    const decision = decideViewing(state, command, { viewer, nowMs: 5 });
    if ('rejection' in decision) return { state, last, code: decision.rejection.code };
    last = decision.events;
    for (const event of last) {
      state = evolveViewing(state, decodeEngagementEvent(event.type, encodeEngagementEvent(event)) as PostEvent);
    }
  }
  return { state, last, code: undefined };
}

test('each kind of engagement counts once, with its points', () => {
  for (const kind of ENGAGEMENT_KINDS) {
    const engage = { type: 'Engage', kind } as const;
    expect(doing(engage).last).toEqual([
      { type: 'PostEngaged', ...viewer, at: 5, kind, points: ENGAGEMENT_POINTS[kind] },
    ]);
    expect(doing(engage, engage).last).toEqual([]);
  }
  const twice = { type: 'PostEngaged', ...viewer, at: 5, kind: 'like', points: 3 } as const;
  expect(() => evolveViewing(evolveViewing(newViewing, twice), twice)).toThrow(LedgerInvariantError);
});

test('liking and rating can be taken back and changed, but not for ever', () => {
  expect(doing({ type: 'Like' }, { type: 'Like' }).last).toEqual([]);
  expect(doing({ type: 'Unlike' }).last).toEqual([]);
  expect(doing({ type: 'Like' }, { type: 'Unlike' }, { type: 'Like' }).state.liked).toBe(true);
  expect(doing({ type: 'Rate', rating: 5 }, { type: 'Rate', rating: 5 }).last).toEqual([]);
  expect(doing({ type: 'Rate', rating: 5 }, { type: 'Rate', rating: 6 }).state.rating).toBe(6);
  const undecided = Array.from({ length: VIEWING_EVENTS_MAX + 1 }, (_, n): ViewingCommand => ({
    type: n % 2 === 0 ? 'Like' : 'Unlike',
  }));
  expect(doing(...undecided).code).toBe('TOO_MANY');
});

test('levels, stages and the bonus', () => {
  expect([0, 2, 3, 6, 7, 400].map(engagementLevel)).toEqual([1, 1, 2, 2, 3, 3]);
  expect([0, 24, 25, 99, 100].map(promotionStage)).toEqual(['stage_a', 'stage_a', 'stage_b', 'stage_b', 'stage_c']);
  expect(withBonus(15)).toBe(1_575);
});

test('a boost needs level 2, a priority slot level 3, and each comes once a UTC day', () => {
  const noon = Date.UTC(2026, 0, 5, 12);
  const boost = (level: 1 | 2 | 3) => ({ type: 'BoostPost', memberId: 'ann', postId: 'p', level }) as const;
  const priority = (level: 1 | 2 | 3) => ({ type: 'TakePriority', memberId: 'ann', level }) as const;
  expect(decidePerk(newPerks, boost(1), noon)).toMatchObject({ rejection: { code: 'NO_BOOST_TOKEN' } });
  expect(decidePerk(newPerks, priority(2), noon)).toMatchObject({ rejection: { code: 'NO_PRIORITY_SLOT' } });
  const boosted = { type: 'PostBoosted', memberId: 'ann', postId: 'p', until: noon + PERK_MS, at: noon } as const;
  expect(decidePerk(newPerks, boost(2), noon)).toEqual({ events: [boosted] });
  const used = evolvePerks(newPerks, boosted);
  expect(decidePerk(used, boost(3), noon + 1)).toMatchObject({ rejection: { code: 'NO_BOOST_TOKEN' } });
  expect(decidePerk(used, priority(3), noon + 1)).toMatchObject({ events: [{ type: 'PriorityTaken' }] });
  expect(decidePerk(used, boost(2), noon + 24 * 60 * 60 * 1_000)).toMatchObject({ events: [{ type: 'PostBoosted' }] });
});

const HALF_LIFE_MS = 86_400_000;
const additionsFrom = (min: number) =>
  fc.array(
    fc.record({
      amount: fc.integer({ min: 0, max: 1_000_000 }),
      atMs: fc.integer({ min, max: 1_800_000_000_000 }),
    }),
    { maxLength: 30 },
  );
const additions = additionsFrom(1_700_000_000_000);
/** After a thousand half-lives a double cannot tell the value from zero. */
const newAdditions = additionsFrom(1_720_000_000_000);

test('a decaying sum is worth what its parts are worth', () => {
  fc.assert(
    fc.property(additions, (parts) => {
      const now = 1_800_000_000_000;
      let heat: number | null = null;
      for (const part of parts) heat = addDecaying(heat, { ...part, halfLifeMs: HALF_LIFE_MS });
      const expected = parts.reduce((sum, { amount, atMs }) => sum + amount * 2 ** ((atMs - now) / HALF_LIFE_MS), 0);
      const value = decayedValue(heat, now, HALF_LIFE_MS);
      expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-6 * Math.max(1, expected));
    }),
  );
});

test('the order of two sums is the same at any time', () => {
  fc.assert(
    fc.property(newAdditions, newAdditions, fc.integer({ min: 0, max: 100_000_000_000 }), (one, other, later) => {
      const heatOf = (parts: typeof one): number | null =>
        parts.reduce<number | null>((heat, part) => addDecaying(heat, { ...part, halfLifeMs: HALF_LIFE_MS }), null);
      const [a, b] = [heatOf(one), heatOf(other)];
      fc.pre(a !== null && b !== null && Math.abs(a - b) > 1e-9);
      const at = 1_800_000_000_000 + (later % 1_000_000_000);
      expect(Math.sign(decayedValue(a, at, HALF_LIFE_MS) - decayedValue(b, at, HALF_LIFE_MS))).toBe(
        Math.sign((a ?? 0) - (b ?? 0)),
      );
    }),
  );
});
