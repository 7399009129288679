import type { ChatParty, ChatView } from './chat-types';

/** The member who is looking. */
export const meIn = ({ side, host, initiator }: ChatView): ChatParty => (side === 'host' ? host : initiator);

/** The member they talk with. */
export const otherIn = ({ side, host, initiator }: ChatView): ChatParty => (side === 'host' ? initiator : host);
