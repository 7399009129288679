import type { MemberCommand, MemberRejection } from './commands.js';
import type { MemberEvent } from './events.js';
import type { MemberState } from './state.js';

/** A member's list is read whole before every change: it has an end. */
export const RELATIONS_MAX = 10_000;

/** Events in order (none where it is so already), or a refusal that changes nothing. */
export type MemberDecision = { readonly events: readonly MemberEvent[] } | { readonly rejection: MemberRejection };

/**
 * Decides what a member does towards another. Doing it twice is doing it once; blocking ends following.
 * @param nowMs journal time
 */
export function decideMember(state: MemberState, command: MemberCommand, nowMs: number): MemberDecision {
  const { memberId, follows, blocks } = state;
  const { otherId } = command;
  if (otherId === memberId) return refuse('ONESELF', 'That is yourself.');
  const facts = { memberId, otherId, at: Math.max(nowMs, state.at) };
  switch (command.type) {
    case 'Follow':
      if (blocks.has(otherId)) return refuse('BLOCKED_BY_YOU', 'You have blocked this member: unblock them first.');
      if (follows.has(otherId)) return NOTHING;
      return follows.size >= RELATIONS_MAX ? tooMany() : one({ type: 'MemberFollowed', ...facts });
    case 'Unfollow':
      return follows.has(otherId) ? one({ type: 'MemberUnfollowed', ...facts }) : NOTHING;
    case 'Block': {
      if (blocks.has(otherId)) return NOTHING;
      if (blocks.size >= RELATIONS_MAX) return tooMany();
      const unfollowed: MemberEvent[] = follows.has(otherId) ? [{ type: 'MemberUnfollowed', ...facts }] : [];
      return { events: [...unfollowed, { type: 'MemberBlocked', ...facts }] };
    }
    case 'Unblock':
      return blocks.has(otherId) ? one({ type: 'MemberUnblocked', ...facts }) : NOTHING;
    case 'Report':
      return one({ type: 'MemberReported', ...facts, reportId: command.reportId });
  }
}

const NOTHING: MemberDecision = { events: [] };
const one = (event: MemberEvent): MemberDecision => ({ events: [event] });
const refuse = (code: MemberRejection['code'], message: string): MemberDecision => ({ rejection: { code, message } });
const tooMany = (): MemberDecision => refuse('TOO_MANY', 'You can follow or block 10,000 members at most.');
