import * as fc from 'fast-check';
import { MEMBER_BALANCES, type MemberBalance } from './accounts.js';
import { LedgerInvariantError } from './invariant.js';
import { Members } from './members.js';
import { UndoLog } from './undo-log.js';

const LARGEST = 2n ** 62n - 1n;

/** A member in a plain object. */
type Member = Record<MemberBalance, bigint> & { releases: number };
type Model = Map<string, Member>;

const nobody = (): Member => ({
  purchased: 0n,
  earned: 0n,
  pending: 0n,
  karma: 0n,
  influence: 0n,
  seyvn: 0n,
  releases: 0,
});

/** As one text each: an `expect` for every balance would take longer than all the rest. */
function expectSame(members: Members, model: Model): void {
  const found = [...members.ids()].map((userId) => [
    userId,
    MEMBER_BALANCES.map((balance) => `${members.balance(userId, balance)}`),
    Object.values(members.mix(userId)).join(),
    members.has(userId) && members.hostReleases(userId),
  ]);
  const expected = [...model].map(([userId, { releases, ...balances }]) => [
    userId,
    MEMBER_BALANCES.map((balance) => `${balances[balance]}`),
    `${balances.purchased},${balances.earned}`,
    releases,
  ]);
  expect(JSON.stringify([members.size, found])).toBe(JSON.stringify([model.size, expected]));
}

function isRefused(post: () => void): boolean {
  try {
    post();
    return false;
  } catch (error) {
    if (error instanceof LedgerInvariantError) return true;
    throw error;
  }
}

type Act =
  | { do: 'post'; userId: string; balance: MemberBalance; delta: bigint }
  | { do: 'release'; userId: string }
  | { do: 'commit' | 'roll back' | 'restore' };
const anyId = fc.oneof(
  fc.constantFrom('alice', 'bob'),
  fc.nat(99).map((n) => `0193a000-0000-7000-8000-${String(n).padStart(12, '0')}`),
);
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      userId: anyId,
      balance: fc.constantFrom(...MEMBER_BALANCES),
      delta: fc.oneof(
        { weight: 9, arbitrary: fc.bigInt(-9n, 99n) },
        { weight: 1, arbitrary: fc.constantFrom(LARGEST, LARGEST - 50n, -LARGEST) },
      ),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('release' as const), userId: anyId }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('commit' as const, 'roll back' as const, 'restore' as const) }),
  },
);

test('members are a map of plain objects, whatever is posted, refused, taken back or restored', () => {
  fc.assert(
    fc.property(fc.array(anyAct, { maxLength: 300, size: 'max' }), (acts) => {
      let members = new Members();
      let model: Model = new Map();
      let durable: Model = new Map();
      const undo = new UndoLog();
      for (const act of acts) {
        switch (act.do) {
          case 'post': {
            const member = model.get(act.userId) ?? nobody();
            const after = member[act.balance] + act.delta;
            model.set(act.userId, member);
            const refused = isRefused(() => members.post(act.userId, act.balance, act.delta, undo));
            if (refused !== (after < 0n || after > LARGEST))
              throw new Error(`${after} is ${refused ? 'refused' : 'taken'}`);
            if (!refused) member[act.balance] = after;
            break;
          }
          case 'release': {
            const member = model.get(act.userId) ?? nobody();
            members.countHostRelease(act.userId, undo);
            model.set(act.userId, member);
            member.releases += 1;
            break;
          }
          case 'roll back':
            undo.rollback();
            model = structuredClone(durable);
            break;
          case 'commit':
          case 'restore':
            if (act.do === 'restore') members = Members.restore(structuredClone(members.snapshot()));
            undo.forget(undo.length);
            durable = structuredClone(model);
        }
      }
      expectSame(members, model);
      undo.rollback();
      expectSame(members, durable);
    }),
    { numRuns: 100 },
  );
});

test('somebody who never came has nothing', () => {
  const members = new Members();
  members.post('alice', 'earned', 5n, undefined);
  expect(members.has('bob')).toBe(false);
  expect(MEMBER_BALANCES.map((balance) => members.balance('bob', balance))).toEqual([0n, 0n, 0n, 0n, 0n, 0n]);
  expect(members.mix('bob')).toEqual({ purchased: 0n, earned: 0n });
  expect(members.hostReleases('bob')).toBe(0);
  expect(members.size).toBe(1);
});

test('a balance goes from nothing to what 64 bits hold with room to add, and says where it would not', () => {
  const members = new Members();
  members.post('alice', 'karma', LARGEST, undefined);
  members.post('alice', 'karma', -LARGEST, undefined);
  const post = (delta: bigint) => () => members.post('alice', 'karma', delta, undefined);
  expect(post(-1n)).toThrow(new LedgerInvariantError('user:alice:karma would be -1'));
  expect(post(LARGEST + 1n)).toThrow(new LedgerInvariantError('user:alice:karma is beyond 64 bits'));
  expect(members.balance('alice', 'karma')).toBe(0n);
});

test('five hundred members keep what they have, also one who only released', () => {
  const members = new Members();
  const ids = Array.from({ length: 500 }, (_, n) => `member-${n}`);
  ids.forEach((id, n) => {
    if (n % 2) members.post(id, 'seyvn', BigInt(n), undefined);
    members.countHostRelease(id, undefined);
  });
  for (const each of [members, Members.restore(members.snapshot())]) {
    expect(ids.map((id) => each.balance(id, 'seyvn'))).toEqual(ids.map((_, n) => (n % 2 ? BigInt(n) : 0n)));
    expect(ids.map((id) => each.hostReleases(id))).toEqual(ids.map(() => 1));
  }
});

test('a snapshot holds the members alone, and does not change with what comes after it', () => {
  const members = new Members();
  members.post('alice', 'earned', 5n, undefined);
  members.countHostRelease('alice', undefined);
  const snapshot = members.snapshot();
  const restored = Members.restore(snapshot);
  for (const more of [members, restored]) {
    more.post('alice', 'earned', 1n, undefined);
    more.countHostRelease('alice', undefined);
    more.post('bob', 'karma', 1n, undefined);
  }
  expect(snapshot).toEqual({
    ids: { words: new Uint32Array(4), others: new Map([['alice', 0]]) },
    balances: MEMBER_BALANCES.map((balance) => BigInt64Array.of(balance === 'earned' ? 5n : 0n)),
    hostReleases: Uint32Array.of(1),
  });
});
