import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../platform/errors/app-error.js';
import { Turns } from '../platform/turns.js';
import { newToken } from './tokens.js';

/** OWASP's choice for argon2id, which is the library's default kind: 19 MiB, two passes. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Passwords and PINs, hashed with argon2id. */
@Injectable()
export class SecretHashing {
  /** Hashing runs on the process's few worker threads, which files and names need too: half of them at most. */
  private readonly turns = new Turns({
    atOnceMax: 2,
    waitingMax: 200,
    busy: () =>
      new AppError(503, 'BUSY', 'Too many people are signing in right now. Please try again.', {
        retryAfterSeconds: 5,
      }),
  });
  private readonly nobodys = this.hash(newToken());

  /** @throws AppError 503 too many are waiting */
  hash(secret: string): Promise<string> {
    return this.turns.take(() => hash(secret, ARGON2));
  }

  /**
   * Whether the secret belongs to the hash. Without a hash (no such account) it takes as long and is never right, so that
   * time does not tell who has an account.
   * @throws AppError 503 too many are waiting
   */
  async verify(secretHash: string | undefined, secret: string): Promise<boolean> {
    const against = secretHash ?? (await this.nobodys);
    const right = await this.turns.take(() => verify(against, secret));
    return right && secretHash !== undefined;
  }
}
