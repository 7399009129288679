import { errorCode } from '../errors/error-code.js';

/** Of transactions that wait for each other in a circle Postgres ends one. */
const DEADLOCK = '40P01';
const TRIES_MAX = 3;

/**
 * Does again what Postgres ended because of a deadlock: nothing of it was done, and the others go on meanwhile.
 * @param work one statement, or one whole transaction
 */
export async function repeatDeadlocked<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRIES_MAX || errorCode(error) !== DEADLOCK) throw error;
    }
  }
}
