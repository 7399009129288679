import { invariant } from '../ledger/invariant.js';
import type { MemberEvent } from './events.js';
import type { MemberState } from './state.js';

/**
 * The next state of what a member has to do with others.
 * @throws LedgerInvariantError an event of another member
 */
export function evolveMember(state: MemberState, event: MemberEvent): MemberState {
  const { memberId, otherId, at } = event;
  invariant(memberId === state.memberId, () => `an event of ${memberId} in the stream of ${state.memberId}`);
  switch (event.type) {
    case 'MemberFollowed':
      return { ...state, at, follows: new Set(state.follows).add(otherId) };
    case 'MemberUnfollowed':
      return { ...state, at, follows: without(state.follows, otherId) };
    case 'MemberBlocked':
      return { ...state, at, blocks: new Set(state.blocks).add(otherId) };
    case 'MemberUnblocked':
      return { ...state, at, blocks: without(state.blocks, otherId) };
    case 'MemberReported':
      return { ...state, at };
  }
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}
