import type { ShapeLimits } from '../platform/shape.js';

/** Limits of the live connection, each in this one place. */

/** Where both protocols live. */
export const REALTIME_PATH = '/ws';
/** As Socket.IO's clients write it. */
export const POLLING_PATH = `${REALTIME_PATH}/`;

/**
 * Commas in a frame's text: a long message has as many, 2,000 with a few more around it. Reading JSON with thousands of parts takes
 * milliseconds, and a member may send frames over many sockets at once, so those are refused unread.
 */
export const FRAME_COMMAS_MAX = 2_500;

/** A larger frame is answered with an error; the socket stays. */
export const FRAME_BYTES_MAX = 64 * 1024;
/** Nothing larger is even read: the socket is closed. */
export const TRANSPORT_BYTES_MAX = 1024 * 1024;

/** Before `RATE_LIMIT_FACTOR`. What comes faster waits in the socket's queue. */
export const FRAMES_PER_SECOND = 50;
export const FRAMES_AT_ONCE = 100;
/** A socket with more than that waiting is closed. */
export const FRAMES_WAITING_MAX = 1_000;
export const FRAME_BYTES_WAITING_MAX = TRANSPORT_BYTES_MAX;
/** Whoever is slowed is told so once in this time. */
export const SLOWED_NOTICE_MS = 1_000;

export const SOCKETS_PER_MEMBER_MAX = 32;
export const CHATS_PER_SOCKET_MAX = 100;
/** A socket that does not take what it is sent is cut off once so much waits for it. */
export const BACKLOG_BYTES_MAX = 1024 * 1024;
export const BACKLOG_PACKETS_MAX = 512;

export const HEARTBEAT_MS = 25_000;
export const HEARTBEAT_TIMEOUT_MS = 20_000;
/** How long a connection that asks for another protocol may stay silent before it has one. */
export const HANDSHAKE_MS_MAX = 30_000;
/** How long a socket may take to close in an orderly way. */
export const CLOSE_TIMEOUT_MS = 1_000;
/** Ends of sessions are told; should that be lost, and for those that end by age, sockets are looked over so often. */
export const SESSION_CHECK_MS = 30_000;

/** Messages sent again after a reconnect, the newest ones. */
export const REPLAY_MAX = 500;

/** While a member types on, the other side hears of it so often at most. */
export const TYPING_NOTICE_MS = 1_500;
/** Typing that is not renewed ends by itself. */
export const TYPING_EXPIRES_MS = 6_000;

/** While a member's money moves on and on, they hear of it so often. */
export const BALANCE_NOTICE_MS = 1_000;

/** An offer with many codecs is about 10 kB. */
export const SIGNAL_BYTES_MAX = 32 * 1024;
export const SIGNAL_SHAPE: ShapeLimits = { depthMax: 8, keysMax: 50, itemsMax: 200, nodesMax: 1_000 };
/** Of a whole frame: a signal in it, and some fields beside. */
export const FRAME_SHAPE: ShapeLimits = { ...SIGNAL_SHAPE, depthMax: SIGNAL_SHAPE.depthMax + 1 };

/** With which plain sockets are closed when the server stops. 1001 would keep clients away for good. */
export const RESTART_CLOSE_CODE = 1012;
