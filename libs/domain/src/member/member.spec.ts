import { LedgerInvariantError } from '../ledger/invariant.js';
import { decodeMemberEvent, encodeMemberEvent } from './codec.js';
import type { MemberCommand } from './commands.js';
import { decideMember, RELATIONS_MAX } from './decide.js';
import { evolveMember } from './evolve.js';
import { newMember, type MemberState } from './state.js';

const doing = (state: MemberState, ...commands: readonly MemberCommand[]) => {
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
const ann = newMember('ann');
const follow: MemberCommand = { type: 'Follow', otherId: 'hal' };
const block: MemberCommand = { type: 'Block', otherId: 'hal' };

test('following and blocking twice is doing it once', () => {
  expect(doing(ann, follow).types).toEqual(['MemberFollowed']);
  expect(doing(ann, follow, follow).types).toEqual([]);
  expect(doing(ann, { type: 'Unfollow', otherId: 'hal' }).types).toEqual([]);
  expect(doing(ann, follow, { type: 'Unfollow', otherId: 'hal' }).state.follows.size).toBe(0);
  expect(doing(ann, block, block).types).toEqual([]);
  expect(doing(ann, block, { type: 'Unblock', otherId: 'hal' }).state.blocks.size).toBe(0);
});

test('blocking ends following, and nobody follows whom they block', () => {
  expect(doing(ann, follow, block).types).toEqual(['MemberUnfollowed', 'MemberBlocked']);
  expect(doing(ann, block, follow).code).toBe('BLOCKED_BY_YOU');
});

test('every report counts', () => {
  const report: MemberCommand = { type: 'Report', otherId: 'hal', reportId: 'r' };
  expect(doing(ann, report, report).types).toEqual(['MemberReported']);
});

test('not oneself, and not without end', () => {
  expect(doing(ann, { type: 'Follow', otherId: 'ann' }).code).toBe('ONESELF');
  const many = { ...ann, follows: new Set(Array.from({ length: RELATIONS_MAX }, (_, n) => `m${n}`)) };
  expect(doing(many, follow).code).toBe('TOO_MANY');
});

test('another member’s event is a bug', () => {
  expect(() => evolveMember(ann, { type: 'MemberFollowed', memberId: 'eve', otherId: 'ann', at: 1 })).toThrow(
    LedgerInvariantError,
  );
});
