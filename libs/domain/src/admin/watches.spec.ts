import { granted } from '../ledger/testing/commands.js';
import { LedgerRun } from '../ledger/testing/ledger-run.js';
import { encodeModerationEvent, type ModerationEvent, type WatchSet } from './events.js';
import { evolveCrossings, evolveWatches, isBeyond, watchedBy, watchedChange } from './watches.js';

const set = (subjectId: string): WatchSet => ({
  type: 'WatchSet',
  adminId: 'rhea',
  targetId: 'watches',
  subjectId,
  reasonId: null,
  at: 1,
  account: 'treasury',
  direction: 'above',
  limit: -5n,
  fromRevision: 7,
});
const crossed: ModerationEvent = {
  type: 'WatchCrossed',
  adminId: 'rhea',
  targetId: 'one',
  subjectId: null,
  reasonId: null,
  at: 1,
  eventId: 'event-1',
  revision: 9,
  balance: 6n,
};

test.each([
  'treasury',
  'user:ann:purchased',
  'user:ann:pending',
  'app:chess:earned',
  'chat:c1',
  'pool:influence',
  'pool:thread:ann',
  'external:stripe',
  'issuance:NOVA',
])('%s is an account of Nova', (account) => {
  expect(watchedBy(account)).toMatchObject({ account });
});

test.each([
  '',
  'user:ann',
  'user:ann:karma',
  'user::earned',
  'user:a b:earned',
  'issuance:KARMA',
  'pool:thread',
  'total:',
  'total:all',
  'toString',
  '__proto__',
  'treasury ',
])('%j is no account of Nova, and no total', (name) => {
  expect(watchedBy(name)).toBeUndefined();
});

test('beyond is on the far side of the limit, and not on it', () => {
  const above = { direction: 'above', limit: 10n } as const;
  const below = { direction: 'below', limit: 10n } as const;
  expect([9n, 10n, 11n].map((balance) => isBeyond(above, balance))).toEqual([false, false, true]);
  expect([9n, 10n, 11n].map((balance) => isBeyond(below, balance))).toEqual([true, false, false]);
});

test('an event changes the accounts that it names, and the totals that they are of', () => {
  const outcome = new LedgerRun().execute(granted('ann', '5'));
  if (outcome.status !== 'accepted') throw new Error('the grant was refused');
  const [event] = outcome.events;
  if (!event) throw new Error('the grant wrote nothing');
  const changes = ['user:ann:earned', 'user:ben:earned', 'issuance:NOVA', 'total:members', 'total:circulation'].map(
    (name) => {
      const watched = watchedBy(name);
      return watched && watchedChange(watched, event);
    },
  );
  expect(changes).toEqual([500n, 0n, -500n, 500n, 500n]);
});

test('watches are those that were set and not removed, and a crossing is known by its revision', () => {
  const removed: ModerationEvent = { ...set('one'), type: 'WatchRemoved' };
  const events: ModerationEvent[] = [set('one'), set('two'), removed, crossed];
  const watches = events.reduce(evolveWatches, new Map<string, WatchSet>() as ReadonlyMap<string, WatchSet>);
  expect([...watches]).toEqual([['two', set('two')]]);
  expect(events.reduce(evolveCrossings, -1)).toBe(9);
});

test('the bytes of its events are these, for ever', () => {
  expect([set('one'), crossed].map(encodeModerationEvent)).toEqual([
    '{"adminId":"rhea","targetId":"watches","subjectId":"one","reasonId":null,"at":1,"account":"treasury","direction":"above","limit":"-5","fromRevision":7}',
    '{"adminId":"rhea","targetId":"one","subjectId":null,"reasonId":null,"at":1,"eventId":"event-1","revision":9,"balance":"6"}',
  ]);
});
