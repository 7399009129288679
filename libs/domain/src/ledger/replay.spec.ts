import { deserialize, serialize } from 'node:v8';
import * as fc from 'fast-check';
import { KeyWindow } from './key-window.js';
import { MemberIds } from './member-ids.js';
import { LedgerState, type LedgerSnapshot } from './state.js';
import { history, type Step } from './testing/arbitraries.js';
import { canonical } from './testing/canonical.js';
import {
  bought,
  burned,
  chatHeld,
  chatSucceeded,
  closed,
  closing,
  earnsInfluence,
  karmaMinted,
  released,
  threadShared,
} from './testing/commands.js';
import { LedgerRun, replay, type StoredEvent } from './testing/ledger-run.js';
import { UndoLog } from './undo-log.js';

/** A window of a few keys and hours, so that short histories evict by number and by time. */
const WINDOW_MAX = 5;
const WINDOW_MS = 30_000_000;
const emptyState = () => new LedgerState(new KeyWindow(WINDOW_MAX, WINDOW_MS));

const hex = (n: number, digits: number) => n.toString(16).padStart(digits, '0');

/** Half of the commands come with a key; the first digits of all hashes are alike, so that the index has collisions. */
function play(run: LedgerRun, steps: readonly Step[], firstKey = 0): void {
  steps.forEach(({ command, waitMs }, n) => {
    run.now += waitMs;
    const key = { hash: hex(7, 8) + hex(firstKey + n, 24), fingerprint: hex(n, 16) };
    run.execute(command, n % 2 ? key : undefined);
  });
}

/** Through the bytes that a snapshot is stored as. */
function stored(state: LedgerState): LedgerState {
  const snapshot = deserialize(serialize(state.snapshot())) as LedgerSnapshot;
  return LedgerState.restore(snapshot, KeyWindow.restore(snapshot.keys, WINDOW_MAX, WINDOW_MS));
}

function journalOf(steps: readonly Step[]): { journal: readonly StoredEvent[]; live: LedgerState } {
  const run = new LedgerRun(emptyState());
  play(run, steps);
  return { journal: run.journal, live: run.state };
}

test('replay from zero equals the live state (invariant 6)', () => {
  fc.assert(
    fc.property(history(80), (steps) => {
      const { journal, live } = journalOf(steps);
      expect(canonical(replay(journal, emptyState()))).toBe(canonical(live));
    }),
    { numRuns: 60 },
  );
});

test('replay from a snapshot at any event equals the live state (invariant 6)', () => {
  fc.assert(
    fc.property(history(40), (steps) => {
      const { journal, live } = journalOf(steps);
      const expected = canonical(live);
      const state = emptyState();
      for (let cut = 0; cut <= journal.length; cut++) {
        replay(journal.slice(0, cut), state);
        const restored = stored(state);
        expect(canonical(restored)).toBe(canonical(state));
        if (cut % 5 === 0 || cut === journal.length) expect(canonical(replay(journal, restored))).toBe(expected);
      }
    }),
    { numRuns: 25 },
  );
});

test('a restored state writes the same bytes as the live one for the same commands', () => {
  fc.assert(
    fc.property(history(40), history(30), (before, after) => {
      const live = new LedgerRun(emptyState());
      play(live, before);
      const restored = new LedgerRun(stored(live.state));
      restored.now = live.now;
      const seen = live.journal.length;
      play(live, after, 1_000);
      play(restored, after, 1_000);
      expect(restored.journal).toEqual(live.journal.slice(seen));
    }),
    { numRuns: 40 },
  );
});

test('an overlay that is rolled back leaves the state as it was, keys included', () => {
  fc.assert(
    fc.property(history(40), history(40), history(20), (before, overlay, after) => {
      const run = new LedgerRun(emptyState());
      play(run, before);
      const ground = { canonical: canonical(run.state), journal: run.journal.length, now: run.now };
      const undo = new UndoLog();
      run.state.attach(undo);
      play(run, overlay, 1_000);
      undo.rollback();
      expect(canonical(run.state)).toBe(ground.canonical);
      run.truncate(ground.journal);
      run.now = ground.now;
      play(run, after, 2_000);
      undo.forget(undo.length);
      run.state.settleKeys(run.state.keys.evictions);
      expect(canonical(run.state)).toBe(canonical(replay(run.journal, emptyState())));
    }),
    { numRuns: 50 },
  );
});

test('an overlay on an empty ledger leaves an empty ledger: no member, pool or account stays behind', () => {
  fc.assert(
    fc.property(history(40), (overlay) => {
      const run = new LedgerRun(emptyState());
      const undo = new UndoLog();
      run.state.attach(undo);
      play(run, overlay);
      undo.rollback();
      expect(canonical(run.state)).toBe(canonical(emptyState()));
      expect(run.state.memberCount).toBe(0);
    }),
    { numRuns: 20 },
  );
});

test('batches: some become durable while later ones are decided, and the rest is lost to another writer', () => {
  const batches = fc.array(history(12), { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(batches, fc.nat(4), history(15), (overlay, kept, after) => {
      const run = new LedgerRun(emptyState());
      const undo = new UndoLog();
      run.state.attach(undo);
      const marks = overlay.map((steps, n) => {
        play(run, steps, n * 1_000);
        return { undo: undo.length, evictions: run.state.keys.evictions, journal: run.journal.length, now: run.now };
      });
      const durable = marks[Math.min(kept, marks.length - 1)]!;
      undo.forget(durable.undo);
      run.state.settleKeys(durable.evictions);
      undo.rollback();
      run.truncate(durable.journal);
      run.now = durable.now;
      expect(canonical(run.state)).toBe(canonical(replay(run.journal, emptyState())));
      play(run, after, 9_000);
      undo.forget(undo.length);
      run.state.settleKeys(run.state.keys.evictions);
      expect(canonical(run.state)).toBe(canonical(replay(run.journal, emptyState())));
    }),
    { numRuns: 50 },
  );
});

test('one command that fails on the overlay is taken back alone', () => {
  fc.assert(
    fc.property(history(30), history(10), (before, failing) => {
      const run = new LedgerRun(emptyState());
      const undo = new UndoLog();
      run.state.attach(undo);
      play(run, before);
      const mark = { undo: undo.length, journal: run.journal.length };
      play(run, failing, 1_000);
      undo.rollback(mark.undo);
      run.truncate(mark.journal);
      undo.forget(undo.length);
      expect(canonical(run.state)).toBe(canonical(replay(run.journal, emptyState())));
    }),
    { numRuns: 40 },
  );
});

test('no snapshot is taken of an overlay, and none of another version is restored', () => {
  const { live } = journalOf([{ command: { type: 'CloseAccount', userId: 'ann' }, waitMs: 0 }]);
  expect(() => LedgerState.restore({ ...live.snapshot(), version: 0 })).toThrow('snapshot version 0');
  const run = new LedgerRun(live);
  live.attach(new UndoLog());
  run.execute({ type: 'CloseAccount', userId: 'ben' });
  expect(() => live.snapshot()).toThrow('durable ground');
});

test('an overlay with nothing on it is durable ground', () => {
  const { live } = journalOf([{ command: { type: 'CloseAccount', userId: 'ann' }, waitMs: 0 }]);
  const ground = canonical(live);
  const undo = new UndoLog();
  live.attach(undo);
  expect(canonical(live)).toBe(ground);
  new LedgerRun(live).execute({ type: 'CloseAccount', userId: 'ben' });
  undo.rollback();
  expect(canonical(live)).toBe(ground);
});

test('a snapshot holds a row for each member and key, and no room to grow', () => {
  fc.assert(
    fc.property(history(20), (steps) => {
      const { live } = journalOf(steps);
      const { members, keys } = live.snapshot();
      expect([...MemberIds.restore(members.ids)]).toEqual([...live.memberIds()]);
      expect(members.ids.words).toHaveLength(live.memberCount * 4);
      for (const column of [...members.balances, members.hostReleases]) expect(column).toHaveLength(live.memberCount);
      for (const column of [keys.revisions, keys.times]) expect(column).toHaveLength(live.keys.size);
      expect(keys.hashes).toHaveLength(live.keys.size * 4);
      expect(keys.fingerprints).toHaveLength(live.keys.size * 2);
    }),
    { numRuns: 20 },
  );
});

test('states that were restored from one snapshot go their own ways', () => {
  fc.assert(
    fc.property(history(30), history(20), (before, after) => {
      const { live } = journalOf(before);
      const snapshot = live.snapshot();
      const restored = () => LedgerState.restore(snapshot, KeyWindow.restore(snapshot.keys, WINDOW_MAX, WINDOW_MS));
      const ground = canonical(live);
      play(new LedgerRun(live), after, 1_000);
      expect(canonical(restored())).toBe(ground);
      play(new LedgerRun(restored()), after, 2_000);
      expect(canonical(restored())).toBe(ground);
    }),
    { numRuns: 20 },
  );
});

test('what a restored state does is not done to the snapshot that it came from', () => {
  const run = new LedgerRun();
  for (const command of [bought('ann', '10'), chatHeld('c1', 'ann', 'hal', '10'), chatSucceeded('c1')]) {
    run.execute(command);
  }
  const snapshot = run.state.snapshot();
  const before = structuredClone(snapshot);
  const restored = new LedgerRun(LedgerState.restore(snapshot));
  expect(restored.execute(released('c1', 'host')).status).toBe('accepted');
  expect(restored.state.hostReleases('hal')).toBe(1);
  expect(snapshot).toEqual(before);
});

test('a member is who has ever had a balance', () => {
  const run = new LedgerRun(emptyState());
  run.execute({ type: 'GrantNova', userId: 'ann', adminId: 'admin', amount: 1n });
  run.execute({ type: 'FreezeSpending', userId: 'ben', disputeId: 'dp_1' });
  expect([...run.state.memberIds()]).toEqual(['ann']);
  expect(run.state.memberCount).toBe(1);
  expect(['ann', 'ben'].map((userId) => run.state.hasMember(userId))).toEqual([true, false]);
});

test('the pools of a member are those in which they have a share', () => {
  const run = new LedgerRun(emptyState());
  expect(run.state.poolsOf('ann')).toEqual([]);
  run.execute(threadShared('hal', 'ann'));
  expect(run.state.poolsOf('ann')).toEqual(['pool:thread:hal']);
  run.execute(karmaMinted('ann'));
  expect(run.state.poolsOf('ann')).toEqual(['pool:karma', 'pool:thread:hal']);
  run.execute(burned('ann', { karma: 1n }));
  for (const command of earnsInfluence('ann')) run.execute(command);
  expect(run.state.poolsOf('ann')).toEqual(['pool:influence', 'pool:thread:hal']);
  for (const command of [closing('ann'), closed('ann')]) run.execute(command);
  expect(run.state.poolsOf('ann')).toEqual([]);
});
