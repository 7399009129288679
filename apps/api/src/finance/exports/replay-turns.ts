import { AppError } from '../../platform/errors/app-error.js';
import { FairTurns } from '../../platform/fair-turns.js';

/** Exports with dollars that a server makes at once: each reads the journal from its start. */
const AT_ONCE_MAX = 2;
/** Those that may wait for a turn: of one admin, and of all. */
const WAITING_OF_ADMIN_MAX = 4;
const WAITING_MAX = 8;
/** Shorter than proxies wait for an answer to begin. */
const WAIT_MS_MAX = 30_000;

export const replayTurns = (): FairTurns =>
  new FairTurns({
    atOnceMax: AT_ONCE_MAX,
    waitingOfOneMax: WAITING_OF_ADMIN_MAX,
    waitingMax: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
    busy,
    tooManyOfOne: busy,
  });

const busy = (): AppError =>
  new AppError(503, 'BUSY', 'Other exports are being made right now. Please try again in a moment.', {
    retryAfterSeconds: 15,
  });
