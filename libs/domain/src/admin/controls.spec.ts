import { amountWaits, changeWaits, type Controls, evolveControls, hasSecondEye, NO_CONTROLS } from './controls.js';
import { decodeModerationEvent, encodeModerationEvent, type ControlsChanged } from './events.js';

const limits = (threshold: bigint | null, dailyCap: bigint | null = null): Controls => ({ threshold, dailyCap });
const changed = (to: Controls, subjectId: string | null = null): ControlsChanged => ({
  type: 'ControlsChanged',
  adminId: 'rhea',
  targetId: 'controls',
  subjectId,
  reasonId: null,
  at: 1,
  ...to,
});

test.each([
  [limits(100n), 101n, 2, true],
  [limits(100n), 100n, 2, false],
  [limits(0n), 1n, 3, true],
  [limits(100n), 101n, 1, false],
  [limits(null), 2n ** 60n, 2, false],
  [limits(null, 5n), 2n ** 60n, 2, false],
])('with %o an act over %s waits among %s admins: %s', (controls, amount, admins, waits) => {
  expect(amountWaits(controls, amount, admins)).toBe(waits);
});

test.each([
  ['sets them first', limits(null), limits(100n, 100n), false],
  ['lowers both', limits(100n, 100n), limits(99n, 99n), false],
  ['changes nothing', limits(100n, 100n), limits(100n, 100n), false],
  ['raises the threshold', limits(100n), limits(101n), true],
  ['takes the threshold away', limits(100n), limits(null), true],
  ['raises the cap while it lowers the threshold', limits(100n, 100n), limits(1n, 101n), true],
  ['takes the cap away', limits(null, 0n), limits(null), true],
])('a change that %s', (_, before, after, waits) => {
  expect(changeWaits(before, after, 2)).toBe(waits);
  expect(changeWaits(before, after, 1)).toBe(false);
});

test('there is a second eye with two admins and any limit', () => {
  expect(hasSecondEye(limits(1n), 2)).toBe(true);
  expect(hasSecondEye(limits(null, 1n), 2)).toBe(true);
  expect(hasSecondEye(limits(1n, 1n), 1)).toBe(false);
  expect(hasSecondEye(limits(null), 9)).toBe(false);
});

test('the last change holds, and which approved acts took effect is known', () => {
  const events = [changed(limits(100n, 7n)), changed(limits(null, 0n), 'act-1')];
  const state = events.reduce(evolveControls, NO_CONTROLS);
  expect(state).toEqual({ threshold: null, dailyCap: 0n, last: events[1], applied: new Set(['act-1']) });
  const stored = events.map(encodeModerationEvent);
  expect(stored[1]).toBe(
    '{"adminId":"rhea","targetId":"controls","subjectId":"act-1","reasonId":null,"at":1,"threshold":null,"dailyCap":"0"}',
  );
  expect(stored.map((data) => decodeModerationEvent('ControlsChanged', data))).toEqual(events);
});
