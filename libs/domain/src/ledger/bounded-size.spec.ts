import { memoryUsage } from 'node:process';
import { serialize, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decodeLedgerEvent, encodeLedgerEvent } from './codec.js';
import type { LedgerCommand } from './commands.js';
import { evolve } from './evolve.js';
import { KeyWindow } from './key-window.js';
import { LedgerState } from './state.js';
import {
  app,
  appPaid,
  appSpent,
  bought,
  burned,
  cardPayment,
  chatHeld,
  chatRefunded,
  chatSucceeded,
  frozen,
  gift,
  granted,
  karmaMinted,
  released,
  reversed,
  threadShared,
  unfrozen,
  walletFunded,
} from './testing/commands.js';
import { LedgerRun } from './testing/ledger-run.js';

const WINDOW_MAX = 50;
const members = Array.from({ length: 20 }, (_, n) => `m${n}`);
const at = (n: number) => members[n % members.length] ?? 'm0';

/** A round of everything that opens and closes, between members who change from round to round; chats are new each time. */
function round(n: number): LedgerCommand[] {
  const [a, b, c] = [at(n), at(n + 1 + (n % 7)), at(n + 9 + (n % 5))];
  const [won, declined] = [`won-${n}`, `declined-${n}`];
  return [
    gift(a, b, '1,000'),
    gift(a, c, '1,000', app('dev', '100,000')),
    cardPayment('upvote', b, c, '50'),
    chatHeld(won, a, b, '13.37'),
    chatHeld(declined, b, c, '5'),
    chatSucceeded(won),
    chatRefunded(declined),
    released(won, 'host'),
    released(won, 'initiator'),
    karmaMinted(b),
    threadShared(b, a, won),
    frozen(c, `dp_${n}`),
    unfrozen(c, `dp_${n}`),
    appSpent(a, '5', app('dev', '100,000')),
    appPaid(b, '5'),
    bought(c, '50', `pi_${n}`),
    reversed(c, '50', 'refund', `re_${n}`),
    burned(b, { karma: 1n }),
    burned(a, { influence: 1n }),
  ];
}

function play(run: LedgerRun, from: number, to: number): void {
  for (let n = from; n < to; n++) {
    run.now += 3_600_000;
    round(n).forEach((command, part) => {
      const key = {
        hash: (n * 100 + part).toString(16).padStart(32, '0'),
        fingerprint: '0'.repeat(16),
        madeAt: run.now,
      };
      const outcome = run.execute(command, key);
      if (outcome.status !== 'accepted')
        throw new Error(`round ${n}: ${command.type} ${JSON.stringify(outcome.status)}`);
    });
  }
  run.truncate(0);
}

/** How many things of each kind a state keeps. */
function sizes(state: LedgerState): Record<string, number> {
  const {
    members: people,
    keys,
    holders,
    version: _,
    revision: _r,
    time: _t,
    day: _d,
    signing: _s,
    ...maps
  } = state.snapshot();
  return {
    members: people.ids.words.length / 4,
    keys: keys.revisions.length,
    shares: [...holders.values()].reduce((sum, pool) => sum + pool.size, 0),
    ...Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, map.size])),
  };
}

test('after ten times the history the state holds not one thing more (invariant 10)', () => {
  const run = new LedgerRun(new LedgerState(new KeyWindow(WINDOW_MAX)));
  for (const member of [...members, 'dev']) run.execute(granted(member, '10,000,000'));
  run.execute(bought('dev', '100'));
  run.execute(walletFunded('dev', '100'));
  const rounds = 140;
  play(run, 0, rounds);
  const [before, bytes] = [sizes(run.state), serialize(run.state.snapshot()).byteLength];
  play(run, rounds, 10 * rounds);
  expect(run.state.revision).toBeGreaterThan(10 * rounds * 19);
  const after = sizes(run.state);
  expect({ ...after, shares: 0, appSpending: 0 }).toEqual({ ...before, shares: 0, appSpending: 0 });
  expect(after).toMatchObject({ members: 21, keys: WINDOW_MAX, holds: 0, rewards: 0, freezes: 0, apps: 1 });
  // Two token pools and a thread pool a host; a member is in each of them once, however many shares they have.
  expect(after['pools']).toBeLessThanOrEqual(2 + members.length);
  expect(after['shares']).toBeLessThanOrEqual(2 * members.length + members.length ** 2);
  expect(after['appSpending']).toBeLessThanOrEqual(24);
  // Numbers grow by digits, never by entries.
  expect(serialize(run.state.snapshot()).byteLength).toBeLessThan(bytes * 1.1);
});

test('of an event the state keeps what it needs and not the text that it was read from', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const run = new LedgerRun();
  const nonce = 'n'.repeat(100_000);
  const state = new LedgerState();
  const read = (command: LedgerCommand): void => {
    const outcome = run.execute(command);
    if (outcome.status !== 'accepted') throw new Error(`${command.type} ${outcome.status}`);
    outcome.events.forEach((event, n) => {
      const revision = outcome.revision - outcome.events.length + 1 + n;
      evolve(state, decodeLedgerEvent(event.type, encodeLedgerEvent({ ...event, nonce })), revision);
    });
  };
  const openAll = (n: number) => {
    const [one, other] = [`somebody-${n}-one`, `somebody-${n}-other`];
    for (const member of [one, other]) read(granted(member, '10,000,000'));
    read(chatHeld(`chat-of-${n}-that-is-held`, one, other, '5'));
    read(chatHeld(`chat-of-${n}-that-is-settled`, one, other, '5'));
    read(chatSucceeded(`chat-of-${n}-that-is-settled`));
    read(threadShared(other, one, `chat-of-${n}-that-is-settled`));
    read(karmaMinted(one));
    read(bought(one, '50', `payment-intent-${n}`));
    read(walletFunded(one, '5', `application-of-${n}`));
    read(frozen(other, `dispute-number-${n}`));
  };
  openAll(0);
  collect();
  const { heapUsed } = memoryUsage();
  for (let n = 1; n <= 50; n++) openAll(n);
  run.truncate(0);
  collect();
  // 500 events of 100 KB each came by.
  expect(memoryUsage().heapUsed - heapUsed).toBeLessThan(3_000_000);
  expect(sizes(state)).toMatchObject({ members: 102, holds: 51, rewards: 51, freezes: 51, apps: 51 });
});
