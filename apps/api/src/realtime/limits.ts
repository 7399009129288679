import type { ShapeLimits } from '../platform/shape.js';

/** All limits of the live connection. */

/** The path of both protocols. */
export const REALTIME_PATH = '/ws';
/** The same path as Socket.IO's clients write it. */
export const POLLING_PATH = `${REALTIME_PATH}/`;

/**
 * Commas in a frame's text. A long message can have 2,000, and its frame a few more. Parsing JSON with thousands of
 * parts takes milliseconds, and a member may send frames over many sockets at once, so frames with more are refused
 * unread.
 */
export const FRAME_COMMAS_MAX = 2_500;

/** A larger frame gets an error as its answer; the socket stays open. */
export const FRAME_BYTES_MAX = 64 * 1024;
/** A larger frame is not even read: its socket is closed. */
export const TRANSPORT_BYTES_MAX = 1024 * 1024;

/** Before `RATE_LIMIT_FACTOR`. Faster frames wait in the socket's queue. */
export const FRAMES_PER_SECOND = 50;
export const FRAMES_AT_ONCE = 100;
/** A socket with more waiting frames is closed. */
export const FRAMES_WAITING_MAX = 1_000;
export const FRAME_BYTES_WAITING_MAX = TRANSPORT_BYTES_MAX;
/** A slowed client is told so once in this time. */
export const SLOWED_NOTICE_MS = 1_000;

export const SOCKETS_PER_MEMBER_MAX = 32;
export const CHATS_PER_SOCKET_MAX = 100;
/** A socket that does not read is cut off once this much waits for it. */
export const BACKLOG_BYTES_MAX = 1024 * 1024;
export const BACKLOG_PACKETS_MAX = 512;

export const HEARTBEAT_MS = 25_000;
export const HEARTBEAT_TIMEOUT_MS = 20_000;
/** How long a connection that asks for another protocol may stay silent before it has one. */
export const HANDSHAKE_MS_MAX = 30_000;
/** How long a socket may take to close in an orderly way. */
export const CLOSE_TIMEOUT_MS = 1_000;
/** How often sockets are checked for sessions that ended by age, or whose end was announced but lost. */
export const SESSION_CHECK_MS = 30_000;

/** How many messages are sent again after a reconnect: the newest ones. */
export const REPLAY_MAX = 500;

/** How often, at most, the other side hears that a member is still typing. */
export const TYPING_NOTICE_MS = 1_500;
/** After this time, typing that is not renewed ends by itself. */
export const TYPING_EXPIRES_MS = 6_000;

/** How often a member hears of their balance while their money keeps moving. */
export const BALANCE_NOTICE_MS = 1_000;

/** An offer with many codecs is about 10 kB. */
export const SIGNAL_BYTES_MAX = 32 * 1024;
export const SIGNAL_SHAPE: ShapeLimits = { depthMax: 8, keysMax: 50, itemsMax: 200, nodesMax: 1_000 };
/** The shape of a whole frame: a signal and some other fields. */
export const FRAME_SHAPE: ShapeLimits = { ...SIGNAL_SHAPE, depthMax: SIGNAL_SHAPE.depthMax + 1 };

/** The code with which plain sockets are closed when the server stops. 1001 would keep clients away for good. */
export const RESTART_CLOSE_CODE = 1012;
