import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { inTurn } from '../database/sole-owner.js';
import { AppError } from '../errors/app-error.js';

/** Files that this server prepares at once. */
const AT_ONCE_MAX = 2;
/** Files that wait for their turn: of one member, and of all. */
const WAITING_OF_MEMBER_MAX = 4;
const WAITING_MAX = 50;
/** How long a member's turn here waits for their turn on another server. */
const ELSEWHERE_MS_MAX = 30_000;
const LOOK_EVERY_MS = 250;

export type TurnOf = <T>(memberId: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets few files be prepared at once, and one of each member. Members take turns: whoever has many files waiting delays
 * another member by one of them at most.
 */
export class MediaTurns {
  private readonly atWork = new Set<string>();
  /** Who waits, in the order of their turns, with their own in the order in which they came. */
  private readonly waiting = new Map<string, (() => void)[]>();

  /** @throws AppError 429 too many of this member wait, 503 too many of all */
  async take<T>(memberId: string, work: () => Promise<T>): Promise<T> {
    await this.enter(memberId);
    try {
      return await work();
    } finally {
      this.atWork.delete(memberId);
      this.letNextIn();
    }
  }

  private enter(memberId: string): Promise<void> | undefined {
    if (this.atWork.size < AT_ONCE_MAX && !this.atWork.has(memberId)) {
      this.atWork.add(memberId);
      return undefined;
    }
    const own = this.waiting.get(memberId) ?? [];
    if (own.length >= WAITING_OF_MEMBER_MAX) throw tooManyOfMember();
    const all = [...this.waiting.values()].reduce((count, each) => count + each.length, 0);
    if (all >= WAITING_MAX) throw busy();
    return new Promise((resolve) => {
      this.waiting.set(memberId, [...own, resolve]);
    });
  }

  private letNextIn(): void {
    for (const [memberId, own] of this.waiting) {
      if (this.atWork.size >= AT_ONCE_MAX) return;
      if (this.atWork.has(memberId)) continue;
      const [next, ...rest] = own;
      // Whoever waits for more goes to the end.
      this.waiting.delete(memberId);
      if (rest.length > 0) this.waiting.set(memberId, rest);
      this.atWork.add(memberId);
      next?.();
    }
  }
}

/** `MediaTurns` on each server, and one file of a member at a time on all servers together. */
export function mediaTurns(pool: pg.Pool): TurnOf {
  const here = new MediaTurns();
  return (memberId, work) => here.take(memberId, () => aloneOnAllServers(pool, memberId, work));
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

/** The random end of the id. Should it be another member's as well, the two take turns. */
const lockOf = (memberId: string): number => Number.parseInt(memberId.slice(-12), 16);

const busy = (): AppError =>
  new AppError(503, 'UPLOADS_BUSY', 'Many files are being prepared right now. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

const tooManyOfMember = (): AppError =>
  new AppError(429, 'TOO_MANY_UPLOADS', 'Your other files are still being prepared. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });
