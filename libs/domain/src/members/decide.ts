import { ENDING_COMMANDS, type MemberCommand, type MemberRejection } from './commands.js';
import type { MemberEvent } from './events.js';
import type { Relationship } from './state.js';

/** The most members that one can follow, and block. */
export const RELATIONS_MAX = 10_000;

/**
 * Bounds the stream, which is read completely before every change and at every search for a block. Commands that end
 * something come on top: no more than began.
 */
export const MEMBER_EVENTS_MAX = 30_000;

/** The refusal of any action towards a member whom one has blocked. */
export const BLOCKED_BY_YOU: MemberRejection = {
  code: 'BLOCKED_BY_YOU',
  message: 'You have blocked this member. Unblock them first.',
};

/** Events in order (none if nothing changes), or a refusal that changes nothing. */
export type MemberDecision = { readonly events: readonly MemberEvent[] } | { readonly rejection: MemberRejection };

/**
 * Decides what a member does towards another. Doing it twice is doing it once; blocking ends following.
 * @param nowMs journal time
 */
export function decideMember(state: Relationship, command: MemberCommand, nowMs: number): MemberDecision {
  if (state.otherId === state.memberId) return refuse('ONESELF', 'That is yourself.');
  const decision = decideTowards(state, command, nowMs);
  const isAtEnd = state.events >= MEMBER_EVENTS_MAX && !ENDING_COMMANDS.has(command.type);
  if (!isAtEnd || 'rejection' in decision || decision.events.length === 0) return decision;
  return refuse('TOO_MANY', 'You have followed, blocked and reported members too often.');
}

function decideTowards(state: Relationship, command: MemberCommand, nowMs: number): MemberDecision {
  const { memberId, otherId, follows, blocks } = state;
  const facts = { memberId, otherId, at: Math.max(nowMs, state.at) };
  switch (command.type) {
    case 'Follow':
      if (blocks) return { rejection: BLOCKED_BY_YOU };
      if (follows) return NOTHING;
      return state.following >= RELATIONS_MAX ? tooMany() : one({ type: 'MemberFollowed', ...facts });
    case 'Unfollow':
      return follows ? one({ type: 'MemberUnfollowed', ...facts }) : NOTHING;
    case 'Block': {
      if (blocks) return NOTHING;
      if (state.blocking >= RELATIONS_MAX) return tooMany();
      const unfollowed: MemberEvent[] = follows ? [{ type: 'MemberUnfollowed', ...facts }] : [];
      return { events: [...unfollowed, { type: 'MemberBlocked', ...facts }] };
    }
    case 'Unblock':
      return blocks ? one({ type: 'MemberUnblocked', ...facts }) : NOTHING;
    case 'Report':
      return one({ type: 'MemberReported', ...facts, reportId: command.reportId });
  }
}

const NOTHING: MemberDecision = { events: [] };
const one = (event: MemberEvent): MemberDecision => ({ events: [event] });
const refuse = (code: MemberRejection['code'], message: string): MemberDecision => ({ rejection: { code, message } });
const tooMany = (): MemberDecision => refuse('TOO_MANY', 'You can follow or block 10,000 members at most.');
