import { LedgerInvariantError } from '../ledger/invariant.js';
import { decodeMemberEvent, encodeMemberEvent } from './codec.js';
import type { MemberCommand } from './commands.js';
import { decideMember, MEMBER_EVENTS_MAX, RELATIONS_MAX } from './decide.js';
import type { MemberEvent } from './events.js';
import { evolveMember } from './evolve.js';
import { newRelationship, type Relationship } from './state.js';

const doing = (state: Relationship, ...commands: readonly MemberCommand[]) => {
  let types: string[] = [];
  for (const command of commands) {
    const decision = decideMember(state, command, 5);
    if ('rejection' in decision) return { state, types, code: decision.rejection.code };
    types = decision.events.map(({ type }) => type);
    for (const event of decision.events) {
      state = evolveMember(state, decodeMemberEvent(event.type, encodeMemberEvent(event)));
    }
  }
  return { state, types, code: undefined };
};
const annWith = (otherId: string, ...events: readonly MemberEvent[]): Relationship =>
  events.reduce(evolveMember, newRelationship({ memberId: 'ann', otherId }));
const ann = annWith('hal');
const follow: MemberCommand = { type: 'Follow' };
const unfollow: MemberCommand = { type: 'Unfollow' };
const block: MemberCommand = { type: 'Block' };
const unblock: MemberCommand = { type: 'Unblock' };
const report: MemberCommand = { type: 'Report', reportId: 'r' };

test('following and blocking twice is doing it once', () => {
  expect(doing(ann, follow).types).toEqual(['MemberFollowed']);
  expect(doing(ann, follow, follow).types).toEqual([]);
  expect(doing(ann, unfollow).types).toEqual([]);
  expect(doing(ann, follow, unfollow).state).toMatchObject({ follows: false, following: 0 });
  expect(doing(ann, block, block).types).toEqual([]);
  expect(doing(ann, block, unblock).state).toMatchObject({ blocks: false, blocking: 0 });
});

test('blocking ends following, and nobody follows whom they block', () => {
  expect(doing(ann, follow, block).types).toEqual(['MemberUnfollowed', 'MemberBlocked']);
  expect(doing(ann, block, follow).code).toBe('BLOCKED_BY_YOU');
});

test('every report counts', () => {
  expect(doing(ann, report, report).types).toEqual(['MemberReported']);
});

test('others change how many there are, and nothing between the two', () => {
  const facts = { memberId: 'ann', otherId: 'hal' };
  const history: MemberEvent[] = [
    { type: 'MemberFollowed', ...facts, at: 1 },
    { type: 'MemberReported', ...facts, at: 2, reportId: 'r' },
    { type: 'MemberBlocked', ...facts, otherId: 'eve', at: 3 },
    { type: 'MemberUnblocked', ...facts, otherId: 'eve', at: 4 },
    { type: 'MemberFollowed', ...facts, otherId: 'eve', at: 5 },
    { type: 'MemberUnfollowed', ...facts, otherId: 'eve', at: 6 },
    { type: 'MemberBlocked', ...facts, otherId: 'eve', at: 7 },
  ];
  const counts = { following: 1, blocking: 1, events: 7, at: 7 };
  expect(annWith('hal', ...history)).toMatchObject({ follows: true, blocks: false, changedAt: 1, ...counts });
  expect(annWith('eve', ...history)).toMatchObject({ follows: false, blocks: true, changedAt: 7, ...counts });
  expect(annWith('bob', ...history)).toMatchObject({ follows: false, blocks: false, changedAt: 0, ...counts });
});

test('not oneself, and not without end', () => {
  expect(doing(annWith('ann'), follow).code).toBe('ONESELF');
  expect(doing({ ...ann, following: RELATIONS_MAX }, follow).code).toBe('TOO_MANY');
  expect(doing({ ...ann, blocking: RELATIONS_MAX }, block).code).toBe('TOO_MANY');
});

test('whoever changes their mind for ever is stopped, and can still end what there is', () => {
  const [before, long] = [MEMBER_EVENTS_MAX - 1, MEMBER_EVENTS_MAX].map((events) => ({ ...ann, events }));
  for (const command of [follow, block, report]) {
    expect([doing(before ?? ann, command).code, doing(long ?? ann, command).code]).toEqual([undefined, 'TOO_MANY']);
  }
  const held = { ...ann, events: MEMBER_EVENTS_MAX, follows: true, blocks: true };
  expect(doing({ ...held, blocks: false }, follow).types).toEqual([]);
  expect(doing(held, unfollow).types).toEqual(['MemberUnfollowed']);
  expect(doing(held, unblock).types).toEqual(['MemberUnblocked']);
});

test('another member’s event is a bug', () => {
  expect(() => evolveMember(ann, { type: 'MemberFollowed', memberId: 'eve', otherId: 'ann', at: 1 })).toThrow(
    LedgerInvariantError,
  );
});
