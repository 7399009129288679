import type { DefaultEventsMap, Server, Socket } from 'socket.io';
import type { SignedInMember } from '../platform/auth/member.js';
import { plainOf } from './plain-connection.js';

export type Payload = Readonly<Record<string, unknown>>;

/** The data of a socket besides its rooms. Socket.IO shows it to other processes that ask, so it holds no secret. */
export interface LiveData {
  readonly member: SignedInMember;
  /** The hash of the token of the session that opened it. */
  readonly session: string;
}

/** One connection of a member, of either protocol. */
export type LiveSocket = Socket<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, LiveData>;
export type LiveServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, LiveData>;

/**
 * The reasons for ending a socket: the code for Socket.IO's clients, and the code with which a plain socket is closed.
 */
const ENDS = {
  sessionEnded: { message: 'Your session has ended. Sign in again.', code: 'SESSION_ENDED', closeCode: 4401 },
  flood: { message: 'Too many frames came at once.', code: 'TOO_MANY_FRAMES', closeCode: 4429 },
} as const;

/**
 * Ends a socket for good. Socket.IO's clients do not see close codes: an event tells them, and they do not reconnect.
 */
export function endSocket(socket: LiveSocket, reason: keyof typeof ENDS): void {
  const { message, code, closeCode } = ENDS[reason];
  const plain = plainOf(socket);
  if (plain) plain.closing = { code: closeCode, sentence: message };
  else socket.emit('error', { message, code });
  socket.disconnect(true);
}
