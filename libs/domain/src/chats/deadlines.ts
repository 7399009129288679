import { IDLE_CHAT_MS } from './constants.js';
import type { ChatState } from './state.js';

/** The chat's next deadline, whatever its members do; undefined once nothing is due. */
export function nextDeadline(state: ChatState): number | undefined {
  switch (state.status) {
    case 'requested':
      return state.acceptBy;
    case 'active':
      return state.hostHasWritten ? idleAt(state) : state.verifyBy;
    case 'successful':
      return state.rateBy;
    case 'completed':
    case 'declined':
    case 'expired':
    case 'terminated':
      return undefined;
  }
}

const idleAt = ({ lastMessageAt, acceptedAt, at }: ChatState): number =>
  (lastMessageAt ?? acceptedAt ?? at) + IDLE_CHAT_MS;
