import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inTurn } from '../database/sole-owner.js';
import { AppError } from '../errors/app-error.js';
import { FairTurns } from '../fair-turns.js';

/** How many files this server prepares at once. */
const AT_ONCE_MAX = 2;
/** How many files may wait for their turn: of one member, and of all members. */
const WAITING_OF_MEMBER_MAX = 4;
const WAITING_MAX = 50;
/** How long a member's turn here waits for the same member's turn on another server to end. */
const ELSEWHERE_MS_MAX = 30_000;
const LOOK_EVERY_MS = 250;

export type TurnOf = <T>(memberId: string, work: () => Promise<T>) => Promise<T>;

/** Prepares few files at once, and one at a time for each member. */
export const fairMediaTurns = (): FairTurns =>
  new FairTurns({
    atOnceMax: AT_ONCE_MAX,
    atOnceOfOneMax: 1,
    waitingOfOneMax: WAITING_OF_MEMBER_MAX,
    waitingMax: WAITING_MAX,
    busy,
    tooManyOfOne: tooManyOfMember,
  });

/** `fairMediaTurns` on each server, and one file at a time for each member across all servers. */
export function mediaTurns(pool: pg.Pool): TurnOf {
  const here = fairMediaTurns();
  return (memberId, work) => here.take([memberId], () => aloneOnAllServers(pool, memberId, work));
}

async function aloneOnAllServers<T>(pool: pg.Pool, memberId: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + ELSEWHERE_MS_MAX;
  for (;;) {
    let result: { readonly is: T } | undefined;
    await inTurn(pool, lockOf(memberId), async () => {
      result = { is: await work() };
    });
    if (result) return result.is;
    if (Date.now() > deadline) throw busy();
    await sleep(LOOK_EVERY_MS);
  }
}

/** The random end of the id. Two members who share it take turns. */
const lockOf = (memberId: string): number => Number.parseInt(memberId.slice(-12), 16);

const busy = (): AppError =>
  new AppError(503, 'UPLOADS_BUSY', 'Many files are being prepared right now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

const tooManyOfMember = (): AppError =>
  new AppError(429, 'TOO_MANY_UPLOADS', 'Your other files are still being prepared. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });
