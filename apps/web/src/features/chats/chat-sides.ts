import type { ChatParty, ChatView } from './chat-types';

/** The one who looks. */
export const meIn = ({ side, host, initiator }: ChatView): ChatParty => (side === 'host' ? host : initiator);

/** Whom they talk with. */
export const otherIn = ({ side, host, initiator }: ChatView): ChatParty => (side === 'host' ? initiator : host);
