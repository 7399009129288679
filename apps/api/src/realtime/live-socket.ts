import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { SignedInMember } from '../platform/auth/member.js';
import { plainOf } from './plain-connection.js';

export type Payload = Readonly<Record<string, unknown>>;

/** What a socket has beside its rooms. Socket.IO shows it to other processes that ask: no secret is in it. */
export interface LiveData {
  readonly member: SignedInMember;
  /** Of the session that opened it, the hash of its token. */
  readonly session: string;
}

/** One connection of a member, of either protocol. */
export type LiveSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, LiveData>;
export type LiveServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, LiveData>;

/** Why the server ends one socket: the code for Socket.IO's clients, and the code with which a plain one is closed. */
const ENDS = {
  sessionEnded: { message: 'Your session has ended. Sign in again.', code: 'SESSION_ENDED', closeCode: 4401 },
  flood: { message: 'Too many frames came at once.', code: 'TOO_MANY_FRAMES', closeCode: 4429 },
} as const;

/** Ends a socket for good. Clients of Socket.IO do not see close codes: they are told in an event, and do not come back. */
export function endSocket(socket: LiveSocket, reason: keyof typeof ENDS): void {
  const { message, code, closeCode } = ENDS[reason];
  const plain = plainOf(socket);
  if (plain) plain.closing = { code: closeCode, sentence: message };
  else socket.emit('error', { message, code });
  socket.disconnect(true);
}
