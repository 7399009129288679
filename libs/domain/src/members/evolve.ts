import { invariant } from '../ledger/invariant.js';
import type { MemberEvent } from './events.js';
import type { Relationship } from './state.js';

/**
 * The next state of what a member has to do with one other; takes the same time however long the stream is.
 * @throws LedgerInvariantError an event of another member
 */
export function evolveMember(state: Relationship, event: MemberEvent): Relationship {
  const { memberId, otherId, at } = event;
  invariant(memberId === state.memberId, () => `an event of ${memberId} in the stream of ${state.memberId}`);
  const events = state.events + 1;
  if (event.type === 'MemberReported') return { ...state, at, events };
  const isTheirs = otherId === state.otherId;
  const next = { ...state, at, events, changedAt: isTheirs ? at : state.changedAt };
  switch (event.type) {
    case 'MemberFollowed':
      return { ...next, follows: isTheirs || state.follows, following: state.following + 1 };
    case 'MemberUnfollowed':
      return { ...next, follows: !isTheirs && state.follows, following: state.following - 1 };
    case 'MemberBlocked':
      return { ...next, blocks: isTheirs || state.blocks, blocking: state.blocking + 1 };
    case 'MemberUnblocked':
      return { ...next, blocks: !isTheirs && state.blocks, blocking: state.blocking - 1 };
  }
}
